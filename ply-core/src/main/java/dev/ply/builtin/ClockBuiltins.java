package dev.ply.builtin;

import com.google.common.collect.ImmutableList;
import dev.ply.type.IntFormat;
import dev.ply.type.Type.IntType;

/** The kernel's clocks. */
public final class ClockBuiltins {
  /** Nanoseconds since boot, printed as a duration. */
  public static final Builtin TIME =
      new Builtin.Value(IntType.S64.printedAs(IntFormat.DURATION), Effect.PURE, "time") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "s64, ns",
              """
              The time since boot without time asleep (CLOCK_MONOTONIC), printed as a duration
              with three digits and a unit. What time - time gives is printed the same way.
              """,
              """
              tracepoint:raw_syscalls:sys_enter { begin[kpid] = time; }
              tracepoint:raw_syscalls:sys_exit / begin[kpid] / { @[comm] = quantize(time - begin[kpid]); delete begin[kpid]; }
              """,
              "time");
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
              The same clock as time, printed as the time of day where ply runs: HH:MM:SS and nine
              digits.
              """,
              """
              tracepoint:sched:sched_process_exec { print(walltime, comm); }
              """,
              "walltime");
        }
      };

  /** Nanoseconds since boot, a plain number. */
  public static final Builtin NSECS =
      new Builtin.Value(IntType.U64, Effect.PURE, "nsecs") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "u64, ns",
              """
              The time since boot with time asleep (CLOCK_BOOTTIME), a plain number.
              """,
              """
              interval:1s { print(nsecs); }
              """,
              "nsecs");
        }
      };

  static final ImmutableList<Builtin> ALL = ImmutableList.of(TIME, WALLTIME, NSECS);

  private ClockBuiltins() {}
}
