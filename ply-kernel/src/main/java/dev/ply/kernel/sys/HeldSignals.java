package dev.ply.kernel.sys;

import java.lang.ref.Reference;

/**
 * Holds back signals of timers from the current thread until closed, by the same thread. Profilers
 * of Java programs send them to running threads; the kernel's verifier gives up when it is
 * interrupted, and would never end if it takes longer than a timer's period.
 *
 * <p>No others: the runtime needs those of faults in Java code, and those by which it stops
 * threads. On MIPS, whose signals have other numbers, nothing is held.
 */
public final class HeldSignals implements AutoCloseable {
  private static final int SIG_BLOCK = 0;
  private static final int SIG_SETMASK = 2;
  private static final int SIGALRM = 14;
  private static final int SIGVTALRM = 26;
  private static final int SIGPROF = 27;

  /** The size of sigset_t. */
  private static final int SET_BYTES = 128;

  private final NativeMemory former;
  private final boolean isHolding;

  private HeldSignals(NativeMemory former, boolean isHolding) {
    this.former = former;
    this.isHolding = isHolding;
  }

  /** Holds them from now on. */
  public static HeldSignals ofTimers() {
    NativeMemory timers = NativeMemory.allocate(SET_BYTES);
    NativeMemory former = NativeMemory.allocate(SET_BYTES);
    timers.bytes().putLong(0, bit(SIGALRM) | bit(SIGVTALRM) | bit(SIGPROF));
    try {
      // Of this thread only, on Linux.
      boolean isHolding = LibC.sigprocmask(SIG_BLOCK, timers.address(), former.address()) == 0;
      return new HeldSignals(former, isHolding);
    } finally {
      Reference.reachabilityFence(timers);
    }
  }

  private static long bit(int signal) {
    return 1L << (signal - 1);
  }

  @Override
  public void close() {
    if (isHolding) {
      int unused = LibC.sigprocmask(SIG_SETMASK, former.address(), 0);
    }
    Reference.reachabilityFence(former);
  }
}
