package dev.ply.cli.io;

import java.time.Duration;

/**
 * Distinguishes a second request to stop from an echo of the first. A terminal signals all
 * processes in the foreground, and a wrapper among them (timeout, sudo, a script) passes it on: one
 * key, two signals. Thread-safe.
 */
final class RepeatedSignal {
  /** Signals within this time of the first are the same request. */
  static final Duration ECHO = Duration.ofSeconds(1);

  private boolean isSeen;
  private long first;

  /** The meaning of a signal. */
  enum Meaning {
    /** To stop, and print results. */
    STOP,
    /** Nothing new. */
    ECHO,
    /** To exit at once, without results. */
    ABANDON
  }

  /**
   * Returns what a signal means.
   *
   * @param now of {@link System#nanoTime}
   */
  synchronized Meaning received(long now) {
    if (!isSeen) {
      isSeen = true;
      first = now;
      return Meaning.STOP;
    }
    return now - first < ECHO.toNanos() ? Meaning.ECHO : Meaning.ABANDON;
  }
}
