package dev.ply.cli.serve;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** At most ten reports of a script in a minute, so that it does not fill the log. Thread-safe. */
final class ReportLimit {
  private static final int MOST = 10;
  private static final long PERIOD = Duration.ofMinutes(1).toNanos();

  private OptionalLong begun = OptionalLong.empty();
  private int reported;
  private long leftOut;

  /**
   * Returns how many reports were left out before this one; empty if this is left out, too.
   *
   * @param now of {@link System#nanoTime}
   */
  synchronized Optional<Long> allowed(long now) {
    if (begun.isEmpty() || now - begun.getAsLong() >= PERIOD) {
      begun = OptionalLong.of(now);
      reported = 0;
    }
    if (reported == MOST) {
      leftOut++;
      return Optional.empty();
    }
    reported++;
    long before = leftOut;
    leftOut = 0;
    return Optional.of(before);
  }
}
