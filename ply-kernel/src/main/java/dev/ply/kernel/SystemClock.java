package dev.ply.kernel;

import dev.ply.kernel.sys.Clock;
import dev.ply.kernel.sys.SystemCalls;
import dev.ply.target.WallClock;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;

/**
 * The time of day in this process's time zone (TZ). The offset between the clocks is determined
 * once, so that an event's time is always the same: the clocks run at one rate, and only setting
 * the clock during a trace changes the offset.
 */
final class SystemClock implements WallClock {
  private static final int TRIES = 10;

  private Optional<WallClock> clock = Optional.empty();

  @Override
  public ZonedDateTime at(long nanos) {
    return clock().at(nanos);
  }

  @Override
  public ZonedDateTime atBootTime(long nanos) {
    return clock().atBootTime(nanos);
  }

  private synchronized WallClock clock() {
    if (clock.isEmpty()) {
      clock =
          Optional.of(
              WallClock.of(
                  offset(Clock.MONOTONIC), offset(Clock.BOOTTIME), ZoneId.systemDefault()));
    }
    return clock.get();
  }

  /** Returns CLOCK_REALTIME minus another clock, from the fastest of several readings. */
  private static long offset(Clock other) {
    long least = Long.MAX_VALUE;
    long offset = 0;
    for (int i = 0; i < TRIES; i++) {
      long before = SystemCalls.clock(other);
      long now = SystemCalls.clock(Clock.REALTIME);
      long after = SystemCalls.clock(other);
      if (after - before < least) {
        least = after - before;
        offset = now - before - least / 2;
      }
    }
    return offset;
  }
}
