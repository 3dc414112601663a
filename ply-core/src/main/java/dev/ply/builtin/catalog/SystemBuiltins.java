package dev.ply.builtin.catalog;

import static dev.ply.builtin.Parameter.FORMAT;
import static dev.ply.builtin.Parameter.NUMBER;
import static dev.ply.builtin.Parameter.VALUE;

import com.google.common.collect.ImmutableList;
import dev.ply.builtin.Availability;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.Documentation;
import dev.ply.builtin.Effect;
import dev.ply.builtin.Parameter;
import dev.ply.builtin.Signature;
import dev.ply.builtin.Typing;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.ir.Expr;
import dev.ply.probe.Provider.Offer;
import dev.ply.shell.ShellScript;
import dev.ply.target.Target;
import dev.ply.text.PrintfFormat;
import dev.ply.text.PrintfFormat.Conversion;
import dev.ply.type.TextBytes;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.VoidType;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Files and commands, signals, and the results of functions. */
public final class SystemBuiltins {
  /** Prints a file. */
  public static final Builtin CAT =
      new Builtin(new Signature(List.of(FORMAT, VALUE), 1, true), Effect.EVENT, "cat") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          new FormatCheck(typing).apply(call);
          return Optional.of(new VoidType());
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "nothing",
              """
              Prints the start of a file when the event arrives: up to 10240 bytes, or
              max_cat_bytes. The path is formatted as printf does. Only regular files are read;
              errors are reported.
              """,
              """
              tracepoint:sched:sched_process_exec { printf("%d ", pid); cat("/proc/%d/cgroup", pid); }
              """,
              "cat(\"format\", value, …)");
        }
      };

  /** Runs a shell command. */
  public static final Builtin SYSTEM =
      new Builtin(new Signature(List.of(FORMAT, VALUE), 1, true), Effect.EVENT, "system") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          new FormatCheck(typing).apply(call);
          if (call.arguments().get(0) instanceof Expr.StringLiteral format) {
            checkShell(format, typing);
          }
          return Optional.of(new VoidType());
        }

        @Override
        public boolean isUnsafe() {
          return true;
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "nothing",
              """
              Runs a command by /bin/sh when the event arrives, and prints its output in the order
              of events; commands run one at a time, and tracing continues. Only with --unsafe.

              - Values replace conversions as quoted parameters of the shell: each is a word or part
              of one, never code. Strings may only be arguments or environment variables: formats
              that pass them to a shell, or to another program known to run commands, are refused.
              - A command and its descendants are killed after 60 s or 1 MiB of
              output, half a second after a signal to ply, and when ply is killed. Background jobs
              of a command that has ended keep running.
              """,
              """
              tracepoint:sched:sched_process_exec / comm == "dd" / { system("ps -o pid=,args= -p %d || echo gone", pid); }
              """,
              "system(\"format\", value, …)");
        }
      };

  /** Writes to memory of the current process; returns whether that was possible. */
  public static final Builtin WRITE_USER =
      new Builtin(
          Signature.of(Parameter.ADDRESS, VALUE, NUMBER),
          Effect.CHANGE,
          new Availability("only ply itself runs at that time", Offer.PROCESS),
          "write_user") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          Optional<IntType> address = typing.number(call, 0, "the address");
          Expr source = call.arguments().get(1);
          Optional<Type> written = typing.apply(source);
          Optional<IntType> length = typing.number(call, 2, "the number of bytes");
          if (written.isPresent() && !(written.get() instanceof ArrayType)) {
            typing
                .diagnostics()
                .error(
                    DiagnosticCode.TYPE_MISMATCH,
                    source.span(),
                    "\"write_user\" writes strings and arrays; this is "
                        + written.get().withArticle(),
                    "a number is an array of bytes as (uint8[8])$n");
            return Optional.empty();
          }
          if (address.isEmpty() || written.isEmpty() || length.isEmpty()) {
            return Optional.empty();
          }
          int size = written.get().size();
          if (call.arguments().get(2) instanceof Expr.IntLiteral number
              && (number.value() < 1 || number.value() > size)) {
            typing
                .diagnostics()
                .error(
                    DiagnosticCode.OUT_OF_RANGE,
                    number.span(),
                    "\"write_user\" cannot write " + number.value() + " bytes of " + size,
                    "1 to " + size + " can be written");
            return Optional.empty();
          }
          return Optional.of(IntType.TRUTH);
        }

        @Override
        public boolean isUnsafe() {
          return true;
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "int",
              """
              Writes the first bytes of a string or an array to memory of the current process; 1 if
              written, 0 if not: the page is read-only or not in memory. This may crash the process;
              the kernel's log reports that such a program was loaded. Only with --unsafe.
              """,
              """
              tracepoint:syscalls:sys_enter_openat / comm == "dd" / { @ = write_user(data->filename, "/dev/null", 10); }
              """,
              "write_user(address, bytes, length)");
        }
      };

  /** Detaches watchpoints. */
  public static final Builtin UNWATCH =
      new Builtin(Signature.of(Parameter.ADDRESS), Effect.EVENT, "unwatch") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          typing.number(call, 0, "the address");
          return Optional.of(new VoidType());
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "nothing",
              """
              Detaches the trace's watchpoints at an address when the event arrives; accesses until
              then are reported.
              """,
              """
              watchpoint:0x10000000:8:w { @[ustack] = count(); unwatch(0x10000000); }
              """,
              "unwatch(address)");
        }
      };

  /** Prints to the kernel's trace buffer. */
  public static final Builtin DEBUGF =
      new Builtin(new Signature(List.of(FORMAT, VALUE), 1, true), Effect.ACTION, "debugf") {
        private static final int MOST_VALUES = 3;
        private static final int LONGEST = 128;

        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          new FormatCheck(typing).apply(call);
          if (call.arguments().get(0) instanceof Expr.StringLiteral format) {
            int values = call.arguments().size() - 1;
            if (values > MOST_VALUES) {
              refuse(call, "the kernel prints up to 3 values; here are " + values, typing);
            } else if (TextBytes.encode(format.value()).length > LONGEST) {
              refuse(format, "the format is longer than " + LONGEST + " bytes", typing);
            }
            for (Expr value : call.arguments().subList(1, call.arguments().size())) {
              checkValue(value, typing);
            }
            PrintfFormat.parse(format.value()).conversions().stream()
                .filter(conversion -> !isKernels(conversion))
                .forEach(
                    conversion ->
                        refuse(
                            format,
                            "the kernel does not know the conversion \"" + conversion.text() + "\"",
                            typing));
          }
          return Optional.of(new VoidType());
        }

        private void checkValue(Expr value, Typing typing) {
          Optional<Type> type = typing.typeOf(value);
          if (type.isPresent() && !type.get().isScalar() && !type.get().isText()) {
            refuse(value, "the kernel cannot print " + type.get().withArticle(), typing);
          }
        }

        /** Returns whether the kernel's formats have a conversion. */
        private boolean isKernels(Conversion conversion) {
          return conversion.arguments() == 1
              && "diuxXcsp".contains(conversion.specifier())
              && !conversion.flags().contains("#")
              && !conversion.flags().contains("'")
              && conversion.precision() < 0
              && List.of("", "l", "ll").contains(conversion.length());
        }

        private void refuse(Expr at, String message, Typing typing) {
          typing
              .diagnostics()
              .error(
                  DiagnosticCode.BAD_FORMAT,
                  at.span(),
                  message,
                  "debugf has the formats of bpf_trace_printk; printf has all of them");
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "nothing",
              """
              Prints a line to the kernel's trace buffer (trace_pipe in tracefs), at once. Up to 3
              values, numbers and strings, by %d %i %u %x %X %c %s %p with l and ll. The kernel's
              log reports that such a program was loaded.
              """,
              """
              tracepoint:sched:sched_process_exec { debugf("%s started as %d", comm, pid); @ = count(); }
              """,
              "debugf(\"format\", value, …)");
        }
      };

  /** Sends a signal to the current process. */
  public static final Builtin SIGNAL = new Signalling("signal", "process");

  /** Sends a signal to the current thread. */
  public static final Builtin SIGNAL_THREAD = new Signalling("signal_thread", "thread");

  /** Replaces the probed function by a result. */
  public static final Builtin OVERRIDE =
      new Builtin(
          Signature.of(NUMBER),
          Effect.ACTION,
          new Availability("only a kprobe can override a function", Offer.PROBED_ADDRESS),
          "override") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          typing.number(call, 0, "the result");
          return Optional.of(new VoidType());
        }

        @Override
        public boolean isUnsafe() {
          return true;
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "nothing",
              """
              Makes the probed function return a value without running, once the clauses of the
              probe have ended. Requires CONFIG_BPF_KPROBE_OVERRIDE and a function that allows error
              injection. Only with --unsafe.
              """,
              """
              kprobe:vfs_read / comm == "dd" / { override(-5); @ = count(); }
              """,
              "override(result)");
        }
      };

  static final ImmutableList<Builtin> ALL =
      ImmutableList.of(WRITE_USER, DEBUGF, CAT, SYSTEM, SIGNAL, SIGNAL_THREAD, OVERRIDE, UNWATCH);

  private static final String PREFIX = "SIG";

  private SystemBuiltins() {}

  /** Returns the number of a signal by its name, with or without {@code SIG}. */
  public static OptionalLong signal(String name, Target target) {
    return target.constant(name.startsWith(PREFIX) ? name : PREFIX + name);
  }

  private static void checkShell(Expr.StringLiteral format, Typing typing) {
    PrintfFormat parsed = PrintfFormat.parse(format.value());
    Optional<Conversion> free =
        parsed.conversions().stream().filter(ShellScript::isFreeText).findFirst();
    Optional<String> danger = ShellScript.danger(parsed);
    if (free.isPresent() && danger.isPresent()) {
      typing
          .diagnostics()
          .error(
              DiagnosticCode.BAD_FORMAT,
              format.span(),
              "the string of \""
                  + free.get().text()
                  + "\" could be run as code by: "
                  + danger.get(),
              "strings may only be arguments of a command, or environment variables (A=%s command):"
                  + " put the rest into a script file, and pass the string as its argument");
    }
  }

  /** Sends a signal. */
  private static final class Signalling extends Builtin {
    private static final int MOST = 64;

    private final String receiver;

    Signalling(String name, String receiver) {
      super(
          Signature.of(VALUE),
          Effect.ACTION,
          new Availability("only ply itself runs at that time", Offer.PROCESS),
          name);
      this.receiver = receiver;
    }

    @Override
    public Optional<Type> type(Expr.Call call, Typing typing) {
      Expr signal = call.arguments().get(0);
      if (signal instanceof Expr.StringLiteral name) {
        typing.apply(signal);
        if (signal(name.value(), typing.target()).isEmpty()) {
          report(DiagnosticCode.UNKNOWN_NAME, signal, "unknown signal " + name.value(), typing);
        }
      } else {
        Optional<IntType> type = typing.number(call, 0, "the signal");
        if (type.isPresent()
            && signal instanceof Expr.IntLiteral number
            && (number.value() < 1 || number.value() > MOST)) {
          report(
              DiagnosticCode.OUT_OF_RANGE,
              signal,
              "unknown signal " + number.value() + ": signals are numbered 1 to " + MOST,
              typing);
        }
      }
      return Optional.of(new VoidType());
    }

    private static void report(DiagnosticCode code, Expr at, String message, Typing typing) {
      typing
          .diagnostics()
          .error(code, at.span(), message, "\"KILL\", \"TERM\", \"STOP\" and \"USR1\" are some");
    }

    @Override
    public boolean isUnsafe() {
      return true;
    }

    @Override
    public Documentation documentation() {
      return new Documentation(
          "nothing",
          "Sends a signal to the current "
              + receiver
              + ", by its name or its number. Only with --unsafe.\n",
          "tracepoint:syscalls:sys_enter_openat / comm == \"dd\" / { "
              + canonicalName()
              + "(\"USR1\"); @ = count(); }\n",
          canonicalName() + "(\"name\")",
          canonicalName() + "(number)");
    }
  }
}
