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
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import dev.ply.table.TableSchema;
import dev.ply.target.ClockMode;
import dev.ply.type.Encoding;
import dev.ply.type.IntFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import java.util.List;
import java.util.Optional;

/** The kernel's clocks. */
public final class ClockBuiltins {
  /** Nanoseconds since boot, printed in seconds; with a format, prints the time of day. */
  public static final Builtin TIME =
      new Builtin(Signature.NONE.optional(Parameter.FORMAT), Effect.PURE, "time") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return Optional.of(IntType.S64.printedAs(IntFormat.SINCE_BOOT));
        }

        @Override
        public Optional<Expr> expansion(Expr.Call call) {
          return call.arguments().stream().findFirst().map(format -> printed(format, call.span()));
        }

        /** A time that nothing is done with is one to print. */
        @Override
        public Optional<Statement> statement(Expr.Call call) {
          SourceSpan span = call.span();
          return call.arguments().isEmpty()
              ? Optional.of(
                  new Statement.Evaluate(
                      printed(new Expr.StringLiteral("%H:%M:%S\n", span), span), span))
              : Optional.empty();
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "s64, ns",
              """
              The time since boot without suspend (CLOCK_MONOTONIC), printed in seconds with nine
              decimals. The difference of two times is a duration, printed with three digits and a
              unit; sums, averages and histograms of durations have units, too. time("format")
              prints the time of day as strftime does, and has no value; time() as a statement is
              time("%H:%M:%S\\n").
              """,
              """
              tracepoint:raw_syscalls:sys_enter { begin[kpid] = time; }
              tracepoint:raw_syscalls:sys_exit / begin[kpid] / { @[comm] = quantize(time - begin[kpid]); delete begin[kpid]; }
              """,
              "time",
              "time()",
              "time(\"format\")");
        }
      };

  /** The time of day: nanoseconds since boot, printed as hours, minutes and seconds. */
  public static final Builtin WALLTIME =
      new Builtin.Value(IntType.S64.printedAs(IntFormat.TIME_OF_DAY), Effect.PURE, "walltime") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "s64, ns",
              """
              The same clock as time, printed as the local time of day: HH:MM:SS and nine digits.
              """,
              """
              tracepoint:sched:sched_process_exec { print(walltime, comm); }
              """,
              "walltime");
        }
      };

  /** Nanoseconds of a clock, a plain number: {@code nsecs}, {@code nsecs(tai)}. */
  public static final Builtin NSECS =
      new Builtin(Signature.NONE.optional(Parameter.CLOCK), Effect.PURE, "nsecs") {
        @Override
        public TableSchema.Unit unit() {
          return TableSchema.Unit.NANOSECONDS;
        }

        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          call.arguments().forEach(typing::apply);
          for (Expr mode : call.arguments()) {
            if (!(mode instanceof Expr.StringLiteral name)
                || ClockMode.named(name.value()).isEmpty()) {
              typing
                  .diagnostics()
                  .error(
                      DiagnosticCode.TYPE_MISMATCH,
                      mode.span(),
                      "unknown clock",
                      "write nsecs(boot), nsecs(monotonic) or nsecs(tai)");
              return Optional.empty();
            }
          }
          return Optional.of(IntType.U64);
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "u64, ns",
              """
              The time since boot including suspend (CLOCK_BOOTTIME), a plain number. Other clocks
              are selected by name: boot, monotonic (without suspend), tai (International Atomic
              Time, Linux 6.1).
              """,
              """
              interval:1s { print(nsecs); }
              """,
              "nsecs",
              "nsecs(clock)");
        }
      };

  /** A time of a clock, as a string: {@code strftime("%H:%M:%S", nsecs)}. */
  public static final Builtin STRFTIME =
      new Builtin(Signature.of(Parameter.FORMAT, Parameter.NUMBER), Effect.PURE, "strftime") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          Expr pattern = call.arguments().get(0);
          typing.apply(pattern);
          Optional<IntType> nanos = typing.number(call, 1, "the time");
          if (!(pattern instanceof Expr.StringLiteral literal)) {
            typing
                .diagnostics()
                .error(
                    DiagnosticCode.BAD_FORMAT,
                    pattern.span(),
                    "the format of \"strftime\" must be a string literal");
            return Optional.empty();
          }
          if (call.arguments().get(1) instanceof Expr.Call now
              && now.function() == NSECS
              && mode(now) != ClockMode.BOOT) {
            typing
                .diagnostics()
                .warning(
                    DiagnosticCode.TYPE_MISMATCH,
                    now.span(),
                    "\"strftime\" takes nanoseconds since boot; these are of another clock",
                    "use nsecs without a clock");
          }
          return nanos.map(
              type -> new Type.EncodedString(new Encoding.Time(literal.value(), clock(type))));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "string",
              """
              The date and time of nanoseconds since boot, in ply's time zone (TZ), formatted
              outside the kernel. The format has the conversions of C's strftime, and %f for
              microseconds. Values of time and walltime are converted by their clock, all others by
              that of nsecs. The string can be printed, stored and used as a key.
              """,
              """
              tracepoint:sched:sched_process_exec { printf("%s %s\\n", strftime("%H:%M:%S.%f", nsecs), comm); }
              """,
              "strftime(\"format\", nanoseconds)");
        }
      };

  /** Nanoseconds since the trace began. */
  public static final Builtin ELAPSED =
      new Builtin.Macro(Signature.NONE, Effect.PURE, "elapsed") {
        @Override
        public Optional<Expr> expansion(Expr.Call call) {
          SourceSpan span = call.span();
          Expr now = new Expr.Call(NSECS, List.of(), span);
          Expr begin = new Expr.MapRead(beginning(span), span);
          return Optional.of(new Expr.Binary(BinaryOp.SUB, now, begin, span));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "u64, ns",
              """
              The nanoseconds since the trace began, suspend included; a plain number.
              """,
              """
              interval:1s { printf("%d s\\n", elapsed / 1e9); }
              """,
              "elapsed");
        }
      };

  static final ImmutableList<Builtin> ALL =
      ImmutableList.of(TIME, WALLTIME, NSECS, STRFTIME, ELAPSED);

  private ClockBuiltins() {}

  /** Returns the clock of a checked call of {@link #NSECS}. */
  public static ClockMode mode(Expr.Call call) {
    return call.arguments().stream()
        .flatMap(mode -> ClockMode.named(((Expr.StringLiteral) mode).value()).stream())
        .findFirst()
        .orElse(ClockMode.BOOT);
  }

  /** Returns the map that stores {@link #NSECS} at the start of the trace. */
  public static MapRef beginning(SourceSpan span) {
    return new MapRef(":begin", List.of(), span);
  }

  /** Values printed as times count in CLOCK_MONOTONIC, plain numbers in CLOCK_BOOTTIME. */
  private static Encoding.Clock clock(IntType type) {
    boolean isMonotonic = type.format().isPointInTime() || type.format().isDuration();
    return isMonotonic ? Encoding.Clock.MONOTONIC : Encoding.Clock.BOOT;
  }

  /** Returns a call that prints the time in a format. */
  private static Expr printed(Expr format, SourceSpan span) {
    Expr now = new Expr.Call(WALLTIME, List.of(), span);
    Expr time = new Expr.Call(STRFTIME, List.of(format, now), span);
    Expr string = new Expr.StringLiteral("%s", span);
    return new Expr.Call(EventBuiltins.PRINT_TIME, List.of(string, time), span);
  }
}
