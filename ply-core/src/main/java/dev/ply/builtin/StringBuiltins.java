package dev.ply.builtin;

import static dev.ply.builtin.Parameter.SIZE;
import static dev.ply.builtin.Parameter.STRING;

import com.google.common.collect.ImmutableList;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.ir.Expr;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import java.util.Optional;

/** String functions. */
public final class StringBuiltins {
  /** Compares two strings: -1, 0 or 1. */
  public static final Builtin STRCMP =
      new Builtin(Signature.of(STRING, STRING), Effect.PURE, "strcmp") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          boolean first = typing.isString(call, 0);
          return typing.isString(call, 1) && first ? Optional.of(IntType.S32) : Optional.empty();
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "int",
              """
              -1, 0 or 1 if the first string sorts before, equal to or after the second, byte by byte.
              Strings can also be compared with == and !=.
              """,
              """
              tracepoint:raw_syscalls:sys_enter / !strcmp(comm, "dd") / { @ = count(); }
              """,
              "strcmp(string, string)");
        }
      };

  /** Compares the first bytes of two strings: 0 if they are equal, else 1. */
  public static final Builtin STRNCMP =
      new Builtin(Signature.of(STRING, STRING, SIZE), Effect.PURE, "strncmp") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          boolean first = typing.isString(call, 0);
          boolean second = typing.isString(call, 1);
          return isLength(call.arguments().get(2), typing) && first && second
              ? Optional.of(IntType.S32)
              : Optional.empty();
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "int",
              """
              0 if the first length bytes of both strings are equal, or both end earlier, else 1.
              The length is a constant, 0 to 1024.
              """,
              """
              tracepoint:raw_syscalls:sys_enter / !strncmp(comm, "dd", 2) / { @ = count(); }
              """,
              "strncmp(string, string, length)");
        }
      };

  static final ImmutableList<Builtin> ALL = ImmutableList.of(STRCMP, STRNCMP);

  private StringBuiltins() {}

  private static boolean isLength(Expr length, Typing typing) {
    typing.apply(length);
    boolean fits =
        length instanceof Expr.IntLiteral literal
            && Long.compareUnsigned(literal.value(), MemoryBuiltins.MAX_STRING_SIZE) <= 0;
    if (!fits) {
      typing
          .diagnostics()
          .error(
              DiagnosticCode.OUT_OF_RANGE,
              length.span(),
              "the length of a comparison must be a number written out, 0 to "
                  + MemoryBuiltins.MAX_STRING_SIZE);
    }
    return fits;
  }
}
