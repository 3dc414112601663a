package dev.ply.builtin;

import static dev.ply.builtin.Parameter.STRING;

import com.google.common.collect.ImmutableList;
import dev.ply.ir.Expr;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import java.util.Optional;

/** Strings: how they compare. */
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
              -1, 0 or 1 as the first text stands before, with or behind the second, byte by byte.
              Texts can also be compared with == and !=.
              """,
              """
              tracepoint:raw_syscalls:sys_enter / !strcmp(comm, "dd") / { @ = count(); }
              """,
              "strcmp(text, text)");
        }
      };

  static final ImmutableList<Builtin> ALL = ImmutableList.of(STRCMP);

  private StringBuiltins() {}
}
