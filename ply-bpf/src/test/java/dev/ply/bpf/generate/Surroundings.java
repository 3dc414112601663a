package dev.ply.bpf.generate;

import dev.ply.ir.Intrinsic;
import dev.ply.target.Architecture;
import java.util.EnumSet;
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
    Architecture architecture, int contextBytes, long memory, Set<Intrinsic> unpredictable) {
  /** The simulated machine; only where its context is and how it numbers stacks is unknown. */
  public static final Surroundings SIMULATED =
      new Surroundings(
          Architecture.X86_64,
          Integer.MAX_VALUE,
          0x7f00_0000_0000L,
          EnumSet.of(Intrinsic.CTX, Intrinsic.STACK, Intrinsic.USTACK));

  /** Where scripts are only compiled: they may use whatever there is. */
  public static final Surroundings UNSEEN =
      new Surroundings(
          Architecture.X86_64,
          Integer.MAX_VALUE,
          0x7f00_0000_0000L,
          EnumSet.noneOf(Intrinsic.class));

  public Surroundings {
    unpredictable = Set.copyOf(unpredictable);
  }

  /** Returns these surroundings for scripts that do not use a function. */
  public Surroundings without(Intrinsic function) {
    EnumSet<Intrinsic> unused = EnumSet.of(function);
    unused.addAll(unpredictable);
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
        EnumSet.of(
            Intrinsic.CTX,
            Intrinsic.STACK,
            Intrinsic.USTACK,
            Intrinsic.CPU,
            Intrinsic.TIME,
            Intrinsic.WALLTIME,
            Intrinsic.NSECS));
  }

  boolean allows(Intrinsic function) {
    return !unpredictable.contains(function);
  }
}
