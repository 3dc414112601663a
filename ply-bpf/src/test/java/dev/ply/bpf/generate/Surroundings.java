package dev.ply.bpf.generate;

import dev.ply.builtin.Builtin;
import dev.ply.builtin.catalog.CgroupBuiltins;
import dev.ply.builtin.catalog.ClockBuiltins;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.MachineBuiltins;
import dev.ply.builtin.catalog.StackBuiltins;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.machine.Architecture;
import java.util.HashSet;
import java.util.Set;

/**
 * What generated scripts may count on where they will run.
 *
 * @param architecture the processor that they are compiled for
 * @param contextBytes how much of a probe's context there is
 * @param memory an address in the process's memory where firings may put texts
 * @param unpredictable what scripts must not use because its value cannot be said beforehand
 */
public record Surroundings(
    Architecture architecture, int contextBytes, long memory, Set<Builtin> unpredictable) {
  /** The simulated machine; only where its context is and how it numbers stacks is unknown. */
  public static final Surroundings SIMULATED =
      new Surroundings(
          Architecture.X86_64,
          Integer.MAX_VALUE,
          0x7f00_0000_0000L,
          Set.of(ContextBuiltins.CTX, StackBuiltins.STACK, StackBuiltins.USTACK));

  /** Where scripts are only compiled: they may use whatever there is. */
  public static final Surroundings UNSEEN =
      new Surroundings(Architecture.X86_64, Integer.MAX_VALUE, 0x7f00_0000_0000L, Set.of());

  public Surroundings {
    unpredictable = Set.copyOf(unpredictable);
  }

  /** Returns these surroundings for scripts that do not use a function. */
  public Surroundings without(Builtin function) {
    Set<Builtin> unused = new HashSet<>(unpredictable);
    unused.add(function);
    return new Surroundings(architecture, contextBytes, memory, unused);
  }

  /**
   * A kernel's test run: twelve words of context, of which aarch64 keeps a function's arguments in
   * the first; times and CPUs are not for us to say.
   */
  public static Surroundings testRun(long memory) {
    return new Surroundings(
        Architecture.AARCH64,
        96,
        memory,
        Set.of(
            ContextBuiltins.CTX,
            StackBuiltins.STACK,
            StackBuiltins.USTACK,
            ThreadBuiltins.CPU,
            CgroupBuiltins.CGROUP,
            CgroupBuiltins.IN_CGROUP,
            CgroupBuiltins.CONTAINER,
            CgroupBuiltins.POD,
            MachineBuiltins.NUMAID,
            MachineBuiltins.JIFFIES,
            ClockBuiltins.TIME,
            ClockBuiltins.WALLTIME,
            ClockBuiltins.NSECS));
  }

  boolean allows(Builtin function) {
    return !unpredictable.contains(function);
  }
}
