package dev.ply.target;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Tells the time of day of moments that a kernel has counted from its boot. Thread-safe. */
public interface WallClock {
  /** A clock of machines that were booted at midnight. */
  WallClock SINCE_BOOT =
      nanos -> Instant.EPOCH.plusNanos(nanos).atZone(ZoneOffset.UTC).toLocalTime();

  /** Returns the time of day when CLOCK_MONOTONIC showed that many nanoseconds. */
  LocalTime at(long nanos);

  /**
   * Returns a clock in a time zone.
   *
   * @param offset the nanoseconds by which CLOCK_REALTIME is before CLOCK_MONOTONIC
   */
  static WallClock of(long offset, ZoneId zone) {
    return nanos -> Instant.EPOCH.plusNanos(offset).plusNanos(nanos).atZone(zone).toLocalTime();
  }
}
