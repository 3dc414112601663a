package dev.ply.kernel.sys;

/** Clock ids in use (include/uapi/linux/time.h). */
public enum Clock {
  /** The time since 1970. */
  REALTIME(0),
  /** The time since boot without suspend: the clock of programs. */
  MONOTONIC(1),
  /** The CPU time of the calling process. */
  PROCESS_CPU_TIME(2),
  /** The CPU time of the calling thread. */
  THREAD_CPU_TIME(3),
  /** The time since boot including suspend. */
  BOOTTIME(7);

  private final int number;

  Clock(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }
}
