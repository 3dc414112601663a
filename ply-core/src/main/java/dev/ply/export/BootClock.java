package dev.ply.export;

import dev.ply.target.WallClock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Converts the clocks of events to nanoseconds since boot, suspended time included. */
final class BootClock {
  private final Instant boot;
  private final long monotonicOffset;
  private final InstantSource now;

  BootClock(WallClock clock, InstantSource now) {
    this.boot = clock.atBootTime(0).toInstant();
    this.monotonicOffset = Duration.between(boot, clock.at(0).toInstant()).toNanos();
    this.now = now;
  }

  /** Returns the boot time of a value of CLOCK_MONOTONIC. */
  long ofMonotonic(long nanos) {
    return nanos + monotonicOffset;
  }

  /** Returns the boot time now. */
  long now() {
    return Duration.between(boot, now.instant()).toNanos();
  }

  /** Returns the nanoseconds since 1970 at a boot time. */
  long epochNanos(long bootTime) {
    return boot.getEpochSecond() * 1_000_000_000 + boot.getNano() + bootTime;
  }
}
