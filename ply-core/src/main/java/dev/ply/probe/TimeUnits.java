package dev.ply.probe;

import java.time.Duration;

/** A duration as a whole number of the largest unit that divides it. */
record TimeUnits(long amount, String unit) {
  static TimeUnits of(Duration time) {
    long nanos = time.toNanos();
    if (nanos % 1_000_000_000 == 0) {
      return new TimeUnits(nanos / 1_000_000_000, "s");
    }
    if (nanos % 1_000_000 == 0) {
      return new TimeUnits(nanos / 1_000_000, "ms");
    }
    return nanos % 1_000 == 0 ? new TimeUnits(nanos / 1_000, "us") : new TimeUnits(nanos, "ns");
  }
}
