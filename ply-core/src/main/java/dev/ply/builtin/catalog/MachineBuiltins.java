package dev.ply.builtin.catalog;

import com.google.common.collect.ImmutableList;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.Documentation;
import dev.ply.builtin.Effect;
import dev.ply.type.Type.IntType;

/** The machine: NUMA nodes, CPUs, timer ticks. */
public final class MachineBuiltins {
  /** The NUMA node of the current CPU. */
  public static final Builtin NUMAID =
      new Builtin.Value(IntType.U32, Effect.INVARIANT, "numaid") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "u32",
              """
              The NUMA node of the CPU that runs the probe, from 0.
              """,
              """
              tracepoint:sched:sched_switch { @[numaid, cpu] = count(); }
              """,
              "numaid");
        }
      };

  /** The number of CPUs. */
  public static final Builtin NCPUS =
      new Builtin.Value(IntType.U64, Effect.INVARIANT, "ncpus") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "u64",
              """
              The number of possible CPUs (/sys/devices/system/cpu/possible).
              """,
              """
              profile:99hz { @ = count(); }
              interval:1s { printf("99 * %d hits expected\\n", ncpus); }
              """,
              "ncpus");
        }
      };

  /** The ticks of the kernel's timer. */
  public static final Builtin JIFFIES =
      new Builtin.Value(IntType.U64, Effect.PURE, "jiffies") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "u64",
              """
              The kernel's 64-bit counter of timer ticks, CONFIG_HZ per second.
              """,
              """
              interval:1s { print(jiffies); }
              """,
              "jiffies");
        }
      };

  static final ImmutableList<Builtin> ALL = ImmutableList.of(NUMAID, NCPUS, JIFFIES);

  private MachineBuiltins() {}
}
