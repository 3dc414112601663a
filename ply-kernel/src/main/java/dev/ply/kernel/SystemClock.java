package dev.ply.kernel;

import dev.ply.kernel.sys.Clock;
import dev.ply.kernel.sys.SystemCalls;
import dev.ply.target.WallClock;
import java.time.LocalTime;
import java.time.ZoneId;
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
  public synchronized LocalTime at(long nanos) {
    if (clock.isEmpty()) {
      clock = Optional.of(WallClock.of(offset(), ZoneId.systemDefault()));
    }
    return clock.get().at(nanos);
  }

  /** Returns CLOCK_REALTIME minus CLOCK_MONOTONIC, from the fastest of several readings. */
  static long offset() {
    long least = Long.MAX_VALUE;
    long offset = 0;
    for (int i = 0; i < TRIES; i++) {
      long before = SystemCalls.clock(Clock.MONOTONIC);
      long now = SystemCalls.clock(Clock.REALTIME);
      long after = SystemCalls.clock(Clock.MONOTONIC);
      if (after - before < least) {
        least = after - before;
        offset = now - before - least / 2;
      }
    }
    return offset;
  }
}
