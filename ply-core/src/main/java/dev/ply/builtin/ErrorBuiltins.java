package dev.ply.builtin;

import com.google.common.collect.ImmutableList;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.SourceSpan;
import dev.ply.ir.Statement;
import dev.ply.ir.TypeName;
import dev.ply.ir.UnaryOp;
import dev.ply.type.Encoding;
import dev.ply.type.Type;
import java.util.List;
import java.util.Optional;

/** Errors: of the kernel, and of the script itself. */
public final class ErrorBuiltins {
  /** The message of an error number. */
  public static final Builtin STRERROR =
      new Builtin(Signature.of(Parameter.NUMBER), Effect.PURE, "strerror") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return typing
              .number(call, 0, "the error number")
              .map(unused -> new Type.EncodedString(new Encoding.ErrorMessage()));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "string",
              """
              The message of an error number, as C's strerror has it; the kernel returns the number
              negated.
              """,
              """
              BEGIN { printf("%s\\n", strerror(ENOENT)); exit(0); }
              """,
              "strerror(number)");
        }
      };

  /** Whether a pointer that the kernel returned is an error number: IS_ERR. */
  public static final Builtin IS_ERR =
      new Builtin.Macro(Signature.of(Parameter.NUMBER), Effect.PURE, "is_err") {
        private static final int MOST_ERRORS = 4095;

        @Override
        public Optional<Expr> expansion(Expr.Call call) {
          SourceSpan span = call.span();
          Expr unsigned = new Expr.Cast(new TypeName("uint64", 0), call.arguments().get(0), span);
          Expr least =
              new Expr.Cast(
                  new TypeName("uint64", 0),
                  new Expr.Unary(UnaryOp.NEGATE, new Expr.IntLiteral(MOST_ERRORS, span), span),
                  span);
          return Optional.of(new Expr.Binary(BinaryOp.GE, unsigned, least, span));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "int",
              """
              1 if a value that a kernel function returns in place of a pointer is a negated error
              number, else 0.
              """,
              """
              kretprobe:do_filp_open / is_err(retval) / { @[strerror(-retval)] = count(); }
              """,
              "is_err(pointer)");
        }
      };

  /** Ends the trace unless a condition holds. */
  public static final Builtin ASSERT =
      new Builtin.Macro(Signature.of(Parameter.NUMBER, Parameter.FORMAT), Effect.EVENT, "assert") {
        @Override
        public Optional<Statement> statement(Expr.Call call) {
          SourceSpan span = call.span();
          Expr failed = new Expr.Unary(UnaryOp.NOT, call.arguments().get(0), span);
          List<Expr> printed =
              List.of(new Expr.StringLiteral("%s\n", span), call.arguments().get(1));
          List<Statement> then =
              List.of(
                  evaluate(new Expr.Call(EventBuiltins.PRINTF, printed, span)),
                  evaluate(
                      new Expr.Call(
                          EventBuiltins.EXIT, List.of(new Expr.IntLiteral(1, span)), span)));
          return Optional.of(
              new Statement.If(
                  failed,
                  new Statement.Block(then, span),
                  new Statement.Block(List.of(), span),
                  span));
        }

        /** An assertion has no value. */
        @Override
        public Optional<Expr> expansion(Expr.Call call) {
          return Optional.of(new Expr.Call(EventBuiltins.EXIT, List.of(), call.span()));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "nothing",
              """
              Ends the trace with status 1 and a message, unless a condition is true.
              """,
              """
              BEGIN { assert(1 + 1 == 3, "arithmetic has changed"); }
              """,
              "assert(condition, \"message\")");
        }
      };

  /** Reports an error of the script. */
  public static final Builtin ERRORF = new Reporting("errorf", "an error");

  /** Reports a warning of the script. */
  public static final Builtin WARNF = new Reporting("warnf", "a warning");

  /** The name of a signal. */
  public static final Builtin SIGNAL_NAME =
      new Builtin(Signature.of(Parameter.NUMBER), Effect.PURE, "signal_name") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return typing
              .number(call, 0, "the signal")
              .map(unused -> new Type.EncodedString(new Encoding.SignalName()));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "string",
              """
              The name of a signal, SIGKILL for 9; the number where there is none.
              """,
              """
              BEGIN { printf("%s\\n", signal_name(9)); exit(0); }
              """,
              "signal_name(number)");
        }
      };

  static final ImmutableList<Builtin> ALL =
      ImmutableList.of(STRERROR, SIGNAL_NAME, IS_ERR, ASSERT, ERRORF, WARNF);

  private ErrorBuiltins() {}

  private static Statement evaluate(Expr.Call call) {
    return new Statement.Evaluate(call, call.span());
  }

  /** Reports a message that is formatted as {@code printf} does. */
  private static final class Reporting extends Builtin {
    private final String what;

    Reporting(String name, String what) {
      super(new Signature(List.of(Parameter.FORMAT, Parameter.VALUE), 1, true), Effect.EVENT, name);
      this.what = what;
    }

    @Override
    public Optional<Type> type(Expr.Call call, Typing typing) {
      new FormatCheck(typing).apply(call);
      return Optional.of(new Type.VoidType());
    }

    @Override
    public Documentation documentation() {
      return new Documentation(
          "nothing",
          "Reports "
              + what
              + ", formatted as printf does, with its position in the script, on standard error."
              + " The\n"
              + "trace goes on.\n",
          "BEGIN { " + canonicalName() + "(\"no %s today\", comm); exit(0); }\n",
          canonicalName() + "(\"format\", value, …)");
    }
  }
}
