package dev.ply.target;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;

/** Converts the kernel's clocks to the date and time. Thread-safe. */
public interface WallClock {
  /** A clock for which the machine booted at the epoch and never slept. */
  WallClock SINCE_BOOT = of(0, 0, ZoneOffset.UTC);

  /**
   * {@return the date and time at a value of CLOCK_MONOTONIC in ns}
   *
   * @param nanos since boot, without suspended time
   */
  ZonedDateTime at(long nanos);

  /**
   * {@return the date and time at a value of CLOCK_BOOTTIME in ns}
   *
   * @param nanos since boot, suspended time included
   */
  ZonedDateTime atBootTime(long nanos);

  /**
   * {@return a clock in a time zone}
   *
   * @param offset CLOCK_REALTIME minus CLOCK_MONOTONIC, in ns
   * @param bootOffset CLOCK_REALTIME minus CLOCK_BOOTTIME, in ns
   * @param zone of the results
   */
  static WallClock of(long offset, long bootOffset, ZoneId zone) {
    return new WallClock() {
      @Override
      public ZonedDateTime at(long nanos) {
        return Instant.EPOCH.plusNanos(offset).plusNanos(nanos).atZone(zone);
      }

      @Override
      public ZonedDateTime atBootTime(long nanos) {
        return Instant.EPOCH.plusNanos(bootOffset).plusNanos(nanos).atZone(zone);
      }
    };
  }
}
