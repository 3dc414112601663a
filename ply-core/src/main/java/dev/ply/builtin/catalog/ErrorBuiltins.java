package dev.ply.builtin.catalog;

import com.google.common.collect.ImmutableList;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.Documentation;
import dev.ply.builtin.Effect;
import dev.ply.builtin.Parameter;
import dev.ply.builtin.Signature;
import dev.ply.builtin.Typing;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.Statement;
import dev.ply.ir.TypeName;
import dev.ply.ir.UnaryOp;
import dev.ply.render.ConversionWriter;
import dev.ply.table.Datum;
import dev.ply.table.DatumFormat;
import dev.ply.text.PrintfFormat;
import dev.ply.text.TextBuffer;
import dev.ply.type.Encoding;
import dev.ply.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Errors of the kernel, and of the script itself; the names of signals and system calls. */
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
              The message of an error number, as C's strerror returns it. Kernel functions return
              the number negated.
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
              1 if a pointer that a kernel function returned is a negated error number (ERR_PTR),
              else 0.
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
              List.of(new Expr.StringLiteral("assert failed: %s", span), call.arguments().get(1));
          List<Statement> then =
              List.of(
                  evaluate(new Expr.Call(ERRORF, printed, span)),
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
              Stops the trace with status 1 and the message, unless the condition is true.
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

  /** Refuses the script with a message. */
  public static final Builtin FAIL =
      new Builtin(
          new Signature(List.of(Parameter.FORMAT, Parameter.VALUE), 1, true),
          Effect.EVENT,
          "fail") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          int errors = typing.diagnostics().count();
          new FormatCheck(typing).apply(call);
          if (typing.diagnostics().count() == errors) {
            message(call, typing)
                .ifPresent(
                    text -> typing.diagnostics().error(DiagnosticCode.FAILED, call.span(), text));
          }
          return Optional.of(new Type.VoidType());
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "nothing",
              """
              Refuses the script with a message, formatted as printf formats literals, unless it is
              in a branch that a constant condition excludes.
              """,
              """
              BEGIN { if (1 > 2) { fail("%d is too many", 1); } exit(0); }
              """,
              "fail(\"format\", literal, …)");
        }
      };

  /** Refuses the script unless a constant condition holds. */
  public static final Builtin STATIC_ASSERT =
      new Builtin(
          Signature.of(Parameter.NUMBER, Parameter.LITERAL), Effect.EVENT, "static_assert") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          Expr condition = call.arguments().get(0);
          Expr message = call.arguments().get(1);
          typing.apply(condition);
          typing.apply(message);
          OptionalLong value = typing.constant(condition);
          if (!(message instanceof Expr.StringLiteral)) {
            typing
                .diagnostics()
                .error(
                    DiagnosticCode.TYPE_MISMATCH,
                    message.span(),
                    "the message of \"static_assert\" must be a string in quotes",
                    "static_assert(sizeof(uint32) == 4, \"unexpected size\")");
          }
          if (value.isEmpty() && typing.typeOf(condition).isPresent()) {
            typing
                .diagnostics()
                .error(
                    DiagnosticCode.TYPE_MISMATCH,
                    condition.span(),
                    "the condition of \"static_assert\" is not constant",
                    "assert checks a condition while tracing");
          } else if (value.isPresent() && value.getAsLong() == 0) {
            typing
                .diagnostics()
                .error(
                    DiagnosticCode.FAILED,
                    call.span(),
                    message instanceof Expr.StringLiteral literal
                        ? literal.value()
                        : "the condition of \"static_assert\" does not hold");
          }
          return Optional.of(new Type.VoidType());
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "nothing",
              """
              Refuses the script with the message unless a constant condition is true.
              """,
              """
              BEGIN { static_assert(1 + 1 == 2, "arithmetic has changed"); exit(0); }
              """,
              "static_assert(condition, \"message\")");
        }
      };

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
              The name of a signal, SIGKILL for 9; the number if it has none.
              """,
              """
              BEGIN { printf("%s\\n", signal_name(9)); exit(0); }
              """,
              "signal_name(number)");
        }
      };

  /** The name of a system call. */
  public static final Builtin SYSCALL_NAME =
      new Builtin(Signature.of(Parameter.NUMBER), Effect.PURE, "syscall_name") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return typing
              .number(call, 0, "the number of the system call")
              .map(unused -> new Type.EncodedString(new Encoding.SystemCallName()));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "string",
              """
              The name of a system call on this architecture, read for 0 on x86-64; the number if
              unknown. Conversely, __NR_read is the number of read.
              """,
              """
              tracepoint:raw_syscalls:sys_enter { @[syscall_name(data->id)] = count(); }
              """,
              "syscall_name(number)");
        }
      };

  static final ImmutableList<Builtin> ALL =
      ImmutableList.of(
          STRERROR, SIGNAL_NAME, SYSCALL_NAME, IS_ERR, ASSERT, STATIC_ASSERT, FAIL, ERRORF, WARNF);

  private ErrorBuiltins() {}

  /** Formats the message of {@link #FAIL}, or reports an argument that is not a literal. */
  private static Optional<String> message(Expr.Call call, Typing typing) {
    List<Datum> values = new ArrayList<>();
    for (Expr argument : call.arguments().subList(1, call.arguments().size())) {
      OptionalLong number = typing.constant(argument);
      if (number.isPresent()) {
        values.add(new Datum.Int(number.getAsLong(), Type.IntType.S64));
      } else if (argument instanceof Expr.StringLiteral literal) {
        values.add(new Datum.Text(literal.value()));
      } else {
        typing
            .diagnostics()
            .error(
                DiagnosticCode.TYPE_MISMATCH,
                argument.span(),
                "the values of \"fail\" must be literals: it is evaluated when the script is"
                    + " compiled",
                "errorf reports errors while tracing");
        return Optional.empty();
      }
    }
    String format = ((Expr.StringLiteral) call.arguments().get(0)).value();
    TextBuffer text = new TextBuffer();
    ConversionWriter.append(
        text, PrintfFormat.parse(format), values, new DatumFormat(typing.target()));
    return Optional.of(text.toString());
  }

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
              + " on standard error, formatted as printf does, with its position in the script."
              + " The\n"
              + "trace continues.\n",
          "BEGIN { " + canonicalName() + "(\"no %s today\", comm); exit(0); }\n",
          canonicalName() + "(\"format\", value, …)");
    }
  }
}
