package dev.ply.target;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Converts the kernel's monotonic time to the time of day. Thread-safe. */
public interface WallClock {
  /** A clock for which the machine booted at midnight. */
  WallClock SINCE_BOOT =
      nanos -> Instant.EPOCH.plusNanos(nanos).atZone(ZoneOffset.UTC).toLocalTime();

  /** Returns the time of day at a value of CLOCK_MONOTONIC in ns. */
  LocalTime at(long nanos);

  /**
   * Returns a clock in a time zone.
   *
   * @param offset CLOCK_REALTIME minus CLOCK_MONOTONIC, in ns
   */
  static WallClock of(long offset, ZoneId zone) {
    return nanos -> Instant.EPOCH.plusNanos(offset).plusNanos(nanos).atZone(zone).toLocalTime();
  }
}
