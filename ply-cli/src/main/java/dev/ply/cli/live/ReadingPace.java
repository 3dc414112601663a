package dev.ply.cli.live;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * How often maps are read: as often as the user wants, but no more often than a small share of a
 * CPU allows. Whoever traces a machine in trouble must not add to it.
 */
final class ReadingPace {
  /** The largest share of a CPU for reading and drawing: one in so many. */
  private static final int SHARE = 25;

  /** The CPU time of the calling thread, in ns, is its first number. */
  private static final Path TIMES = Path.of("/proc/thread-self/schedstat");

  private final Duration wanted;
  private long beganReading;
  private Duration last;

  ReadingPace(Duration wanted) {
    this.wanted = wanted;
    this.last = wanted;
  }

  /** A reading begins, on the calling thread. */
  void begin() {
    beganReading = used();
  }

  /**
   * A reading has ended.
   *
   * @param elapsed since it began
   * @return how long to wait for the next
   */
  Duration end(Duration elapsed) {
    return end(elapsed, Duration.ofNanos(used() - beganReading));
  }

  Duration end(Duration elapsed, Duration used) {
    Duration least = used.multipliedBy(SHARE);
    // The first readings take longer than all others: classes are loaded, nothing is compiled yet.
    Duration most = last.multipliedBy(2);
    Duration limited = least.compareTo(most) > 0 ? most : least;
    last = limited.compareTo(wanted) > 0 ? limited : wanted;
    Duration left = last.minus(elapsed);
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** Returns the time between the last reading and the next. */
  Duration period() {
    return last;
  }

  private static long used() {
    try {
      String times = Files.readString(TIMES, StandardCharsets.US_ASCII);
      return Long.parseLong(times.substring(0, times.indexOf(' ')));
    } catch (IOException | IndexOutOfBoundsException | NumberFormatException e) {
      // Kernels without scheduler statistics: what else the machine does counts, too.
      return System.nanoTime();
    }
  }
}
