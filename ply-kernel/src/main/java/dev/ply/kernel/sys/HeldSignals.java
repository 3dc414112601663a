package dev.ply.kernel.sys;

import java.lang.ref.Reference;
import java.util.function.Supplier;

/**
 * Signals of timers, which profilers of Java programs send to running threads: the kernel's
 * verifier gives up when it is interrupted, and would never end if it takes longer than a timer's
 * period.
 *
 * <p>No others: the runtime needs those of faults in Java code, and those by which it stops
 * threads. On MIPS, whose signals have other numbers, nothing is held back.
 */
public final class HeldSignals {
  private static final int SIG_BLOCK = 0;
  private static final int SIG_SETMASK = 2;
  private static final int SIGALRM = 14;
  private static final int SIGVTALRM = 26;
  private static final int SIGPROF = 27;

  /** The size of sigset_t. */
  private static final int SET_BYTES = 128;

  private HeldSignals() {}

  /** Calls with timers' signals held back from this thread. */
  public static <T> T ofTimers(Supplier<T> call) {
    NativeMemory timers = NativeMemory.allocate(SET_BYTES);
    NativeMemory former = NativeMemory.allocate(SET_BYTES);
    timers.bytes().putLong(0, bit(SIGALRM) | bit(SIGVTALRM) | bit(SIGPROF));
    // Of this thread only, on Linux.
    boolean isHolding = LibC.sigprocmask(SIG_BLOCK, timers.address(), former.address()) == 0;
    try {
      return call.get();
    } finally {
      if (isHolding) {
        int unused = LibC.sigprocmask(SIG_SETMASK, former.address(), 0);
      }
      Reference.reachabilityFence(timers);
      Reference.reachabilityFence(former);
    }
  }

  private static long bit(int signal) {
    return 1L << (signal - 1);
  }
}
