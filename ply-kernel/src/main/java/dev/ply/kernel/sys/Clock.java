package dev.ply.kernel.sys;

/** The kernel's clocks in use, with its numbers (include/uapi/linux/time.h). */
public enum Clock {
  /** The time since 1970. */
  REALTIME(0),
  /** The time since boot, without time asleep: what programs count in. */
  MONOTONIC(1),
  /** The CPU time of the calling thread. */
  THREAD_CPU_TIME(3);

  private final int number;

  Clock(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }
}
