package dev.ply.builtin.catalog;

import static dev.ply.builtin.Parameter.LITERAL;
import static dev.ply.builtin.Parameter.SIZE;
import static dev.ply.builtin.Parameter.STRING;
import static dev.ply.builtin.Parameter.VALUE;

import com.google.common.collect.ImmutableList;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.Documentation;
import dev.ply.builtin.Effect;
import dev.ply.builtin.Signature;
import dev.ply.builtin.Typing;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.ir.Expr;
import dev.ply.table.TableSchema;
import dev.ply.type.BytePattern;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import java.util.List;
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
              The length is a constant, 0 to 16384.
              """,
              """
              tracepoint:raw_syscalls:sys_enter / !strncmp(comm, "dd", 2) / { @ = count(); }
              """,
              "strncmp(string, string, length)");
        }
      };

  /** Compares the first bytes of two values in memory: -1, 0 or 1. */
  public static final Builtin MEMCMP =
      new Builtin(Signature.of(VALUE, VALUE, SIZE), Effect.PURE, "memcmp") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          Optional<Type> left = array(call, 0, typing);
          Optional<Type> right = array(call, 1, typing);
          boolean isLength = isLength(call.arguments().get(2), typing);
          if (left.isEmpty() || right.isEmpty() || !isLength) {
            return Optional.empty();
          }
          int shorter = Math.min(left.get().size(), right.get().size());
          Expr.IntLiteral length = (Expr.IntLiteral) call.arguments().get(2);
          if (length.value() > shorter) {
            typing
                .diagnostics()
                .error(
                    DiagnosticCode.OUT_OF_RANGE,
                    length.span(),
                    "\"memcmp\" cannot compare "
                        + length.value()
                        + " bytes, one of the values has "
                        + shorter,
                    "up to " + shorter + " can be compared");
            return Optional.empty();
          }
          return Optional.of(IntType.S32);
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "int",
              """
              -1, 0 or 1 if the first length bytes of the first value sort before, equal to or after those
              of the second, NULs included. The values are strings or arrays; mem reads one at an
              address. The length is a constant.
              """,
              """
              BEGIN { print(memcmp(pton("10.0.0.1"), pton("10.0.0.2"), 3)); exit(0); }
              """,
              "memcmp(bytes, bytes, length)");
        }
      };

  /** Whether a string contains another: 1 or 0. */
  public static final Builtin STRCONTAINS =
      new Builtin(Signature.of(STRING, STRING), Effect.PURE, "strcontains") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return areSearchable(call, typing) ? Optional.of(IntType.TRUTH) : Optional.empty();
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "int",
              """
              1 if the first string contains the second, else 0. Every string contains the empty
              one. The product of their sizes is limited to 16384, unless the second is a constant
              of up to 8 bytes.
              """,
              """
              tracepoint:raw_syscalls:sys_enter / strcontains(comm, "dd") / { @[comm] = count(); }
              """,
              "strcontains(string, string)");
        }
      };

  /** Where a string contains another. */
  public static final Builtin STRSTR =
      new Builtin(Signature.of(STRING, STRING), Effect.PURE, "strstr") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return areSearchable(call, typing) ? Optional.of(IntType.S64) : Optional.empty();
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "s64",
              """
              The number of bytes before the second string's first occurrence in the first, -1 if not found. Sizes are limited as those of strcontains.
              """,
              """
              tracepoint:syscalls:sys_enter_openat / strstr(str(data->filename), "/") != 0 / { @relative = count(); }
              """,
              "strstr(string, string)");
        }
      };

  /** Whether a string matches a pattern: 1 or 0. */
  public static final Builtin STRGLOB =
      new Builtin(Signature.of(STRING, LITERAL), Effect.PURE, "strglob") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          boolean isString = typing.isString(call, 0);
          if (!(call.arguments().get(1) instanceof Expr.StringLiteral pattern)) {
            typing
                .diagnostics()
                .error(
                    DiagnosticCode.TYPE_MISMATCH,
                    call.arguments().get(1).span(),
                    "\"strglob\" takes its pattern as a string literal",
                    "write strglob(comm, \"dd*\"); strings are compared by ==");
            return Optional.empty();
          }
          int elements = BytePattern.of(pattern.value()).elements();
          if (elements > BytePattern.MOST_ELEMENTS) {
            typing
                .diagnostics()
                .error(
                    DiagnosticCode.OUT_OF_RANGE,
                    pattern.span(),
                    "this pattern has " + elements + " characters besides its stars",
                    "up to " + BytePattern.MOST_ELEMENTS + " can be compared");
            return Optional.empty();
          }
          return isString ? Optional.of(IntType.TRUTH) : Optional.empty();
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "int",
              """
              1 if the whole string matches the pattern, else 0: ? is any byte, * any number of bytes,
              [a-z] and [!a-z] are sets of bytes, \\ takes the next byte literally. Up to 63 characters
              besides the stars.
              """,
              """
              tracepoint:raw_syscalls:sys_enter / strglob(comm, "[c-e]?*") / { @[comm] = count(); }
              """,
              "strglob(string, \"pattern\")");
        }
      };

  /** The length of a string. */
  public static final Builtin STRLEN =
      new Builtin(Signature.of(STRING), Effect.PURE, "strlen") {
        @Override
        public TableSchema.Unit unit() {
          return TableSchema.Unit.BYTES;
        }

        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return typing.isString(call, 0) ? Optional.of(IntType.U64) : Optional.empty();
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "u64",
              """
              The number of bytes before the NUL of a string, as far as it has been read.
              """,
              """
              tracepoint:syscalls:sys_enter_openat { @ = quantize(strlen(str(data->filename))); }
              """,
              "strlen(string)");
        }
      };

  /** The number of bytes that a string has room for. */
  public static final Builtin STRCAP =
      new Builtin.Macro(Signature.of(STRING), Effect.PURE, "strcap") {
        @Override
        public Optional<Expr> expansion(Expr.Call call) {
          return Optional.of(new Expr.SizeOf(call.arguments().get(0), call.span()));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "u64",
              """
              The capacity of a string in bytes, its NUL included.
              """,
              """
              BEGIN { print(strcap(comm)); exit(0); }
              """,
              "strcap(string)");
        }
      };

  /** One string after the other. */
  public static final Builtin STR_CONCAT =
      new Builtin(Signature.of(STRING, STRING), Effect.PURE, "str_concat") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          boolean first = typing.isString(call, 0);
          if (!typing.isString(call, 1) || !first) {
            return Optional.empty();
          }
          // Raw memory may have no NUL.
          int both = size(call, 0, typing) + size(call, 1, typing) + 1;
          return Optional.of(ArrayType.chars(Math.min(both, MemoryBuiltins.MAX_STRING_SIZE)));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "string",
              """
              The first string followed by the second, up to 1023 bytes.
              """,
              """
              tracepoint:sched:sched_process_exec { @[str_concat(comm, " started")] = count(); }
              """,
              "str_concat(string, string)");
        }
      };

  /** The number of bytes that {@code str} without a size reads. */
  public static final Builtin DEFAULT_STR_LENGTH =
      new Builtin.Macro(Signature.NONE, Effect.INVARIANT, "default_str_length") {
        @Override
        public Optional<Expr> expansion(Expr.Call call) {
          Expr string =
              new Expr.Call(
                  MemoryBuiltins.STR, List.of(new Expr.IntLiteral(0, call.span())), call.span());
          return Optional.of(new Expr.SizeOf(string, call.span()));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "u64",
              """
              The size of str without one, in bytes, its NUL included.
              """,
              """
              BEGIN { print(default_str_length); exit(0); }
              """,
              "default_str_length");
        }
      };

  static final ImmutableList<Builtin> ALL =
      ImmutableList.of(
          STRCMP,
          STRNCMP,
          MEMCMP,
          STRCONTAINS,
          STRSTR,
          STRGLOB,
          STRLEN,
          STRCAP,
          STR_CONCAT,
          DEFAULT_STR_LENGTH);

  /** The maximum number of pairs of bytes that a search compares. */
  private static final int MOST_PAIRS = 1 << 14;

  private static final int SHORT = 8;

  private StringBuiltins() {}

  /** Types an argument that must be in memory as a whole. */
  private static Optional<Type> array(Expr.Call call, int index, Typing typing) {
    Expr argument = call.arguments().get(index);
    Optional<Type> type = typing.apply(argument);
    if (type.isPresent() && !(type.get() instanceof ArrayType)) {
      typing
          .diagnostics()
          .error(
              DiagnosticCode.TYPE_MISMATCH,
              argument.span(),
              "\"memcmp\" compares strings and arrays; this is " + type.get().withArticle(),
              "mem(address, size) are the bytes at an address");
    }
    return type.filter(ArrayType.class::isInstance);
  }

  private static boolean areSearchable(Expr.Call call, Typing typing) {
    boolean first = typing.isString(call, 0);
    if (!typing.isString(call, 1) || !first) {
      return false;
    }
    int length = size(call, 0, typing);
    int searched = size(call, 1, typing);
    // A constant's NUL is counted, too.
    boolean isShort =
        call.arguments().get(1) instanceof Expr.StringLiteral && searched <= SHORT + 1;
    boolean fits = isShort || (long) length * searched <= MOST_PAIRS;
    if (!fits) {
      typing
          .diagnostics()
          .error(
              DiagnosticCode.OUT_OF_RANGE,
              call.span(),
              "searching "
                  + searched
                  + " bytes in "
                  + length
                  + " exceeds the limits of the kernel's verifier",
              "the maximum product is " + MOST_PAIRS + ": read shorter strings, as in str(p, 64)");
    }
    return fits;
  }

  private static int size(Expr.Call call, int index, Typing typing) {
    return typing.typeOf(call.arguments().get(index)).map(Type::size).orElse(0);
  }

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
