package dev.ply.bpf.generate;

import java.time.Duration;
import java.util.Locale;

/** How many inputs were tried, and which took longest: for who looks, no test depends on it. */
public final class Slowest {
  private int count;
  private Duration longest = Duration.ZERO;
  private Object slowest = "";

  /** Tries an input. */
  public void time(Object input, Runnable trial) {
    long start = System.nanoTime();
    trial.run();
    Duration taken = Duration.ofNanos(System.nanoTime() - start);
    count++;
    if (taken.compareTo(longest) > 0) {
      longest = taken;
      slowest = input;
    }
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%,d tried, the slowest in %d ms:%n%s", count, longest.toMillis(), slowest);
  }
}
