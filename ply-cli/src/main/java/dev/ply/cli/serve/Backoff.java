package dev.ply.cli.serve;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * The pauses before a script that has failed is tried again: each twice as long as the one before,
 * up to a limit, and up to a fifth shorter, so that scripts that fail together are not tried
 * together.
 *
 * @param first the pause after a first failure
 * @param most the longest pause
 * @param random from 0 to 1
 */
record Backoff(Duration first, Duration most, DoubleSupplier random) {
  private static final double JITTER = 0.2;

  /** From a second to five minutes. */
  static final Backoff USUAL =
      new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5), Math::random);

  /**
   * Returns a pause.
   *
   * @param failures in a row, from 1 up
   */
  Duration pause(int failures) {
    Duration pause = first;
    for (int i = 1; i < failures && pause.compareTo(most) < 0; i++) {
      pause = pause.multipliedBy(2);
    }
    Duration bounded = pause.compareTo(most) < 0 ? pause : most;
    return Duration.ofNanos((long) (bounded.toNanos() * (1 - JITTER * random.getAsDouble())));
  }

  /** Returns whether a script that has run for so long begins anew with the shortest pause. */
  boolean forgives(Duration run) {
    return run.compareTo(most) >= 0;
  }
}
