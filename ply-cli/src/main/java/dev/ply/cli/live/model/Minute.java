package dev.ply.cli.live.model;

import java.util.Arrays;

/** The values of the last minute, one a second. Not thread-safe. */
public final class Minute {
  /** The number of values. */
  public static final int SECONDS = 60;

  private final float[] values = new float[SECONDS];
  private int next;

  /** Creates a minute of which nothing is known yet. */
  public Minute() {
    Arrays.fill(values, Float.NaN);
  }

  /**
   * Adds the value of one or more seconds, if they were not read one by one.
   *
   * @param value that each of them gets
   * @param seconds at least 1
   */
  public void add(double value, int seconds) {
    for (int i = 0; i < Math.min(seconds, SECONDS); i++) {
      values[next] = (float) value;
      next = (next + 1) % SECONDS;
    }
  }

  /**
   * {@return the value of a second; not a number while nothing is known of it}
   *
   * @param second from 0, the oldest, to 59, the newest
   */
  public float at(int second) {
    return values[(next + second) % SECONDS];
  }
}
