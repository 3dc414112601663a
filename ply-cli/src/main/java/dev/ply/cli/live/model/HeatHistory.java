package dev.ply.cli.live.model;

import java.util.Arrays;

/** What each second of the last minute added to the buckets of a histogram. Not thread-safe. */
public final class HeatHistory {
  private static final int[] NOTHING = {};

  private final int[][] seconds = new int[Minute.SECONDS][];
  private int next;
  private long[] before = {};

  HeatHistory() {
    Arrays.fill(seconds, NOTHING);
  }

  /** Begins from counts of which the time is unknown. */
  void begin(long... counts) {
    before = counts;
  }

  /** Adds what has been counted since the last call; a map that was cleared begins anew. */
  void add(long[] counts, int passed) {
    long[] added = counts.clone();
    boolean isSame = before.length == counts.length;
    for (int i = 0; isSame && i < counts.length; i++) {
      isSame = counts[i] >= before[i];
    }
    int[] second = new int[counts.length];
    boolean isEmpty = true;
    for (int i = 0; i < counts.length; i++) {
      added[i] -= isSame ? before[i] : 0;
      second[i] = (int) Math.min(Integer.MAX_VALUE, added[i] / passed);
      isEmpty &= second[i] == 0;
    }
    for (int i = 0; i < Math.min(passed, Minute.SECONDS); i++) {
      seconds[next] = isEmpty ? NOTHING : second;
      next = (next + 1) % Minute.SECONDS;
    }
    before = counts;
  }

  /**
   * {@return what was added in a second by bucket; no counts if nothing was}
   *
   * @param second from 0, the oldest, to 59, the newest
   */
  public int[] at(int second) {
    return seconds[(next + second) % Minute.SECONDS];
  }

  /**
   * {@return what was added in the last minute}
   *
   * @param buckets their number
   */
  public long[] minute(int buckets) {
    long[] sums = new long[buckets];
    for (int[] second : seconds) {
      for (int i = 0; i < Math.min(buckets, second.length); i++) {
        sums[i] += second[i];
      }
    }
    return sums;
  }
}
