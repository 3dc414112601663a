package dev.ply.render;

import dev.ply.table.Histogram;
import java.util.ArrayList;
import java.util.List;

/**
 * A range of a histogram of powers of two as bpftrace divides it: zeros have their own.
 *
 * @param exponent the values from {@code 2^exponent} to {@code 2^(exponent+1) - 1}, or {@link
 *     #ZERO} or {@link #NEGATIVE}
 */
public record PowerRange(int exponent, long count) {
  /** The exponent of zero. */
  static final int ZERO = -1;

  /** The exponent of negative values. */
  public static final int NEGATIVE = -2;

  /** {@return the ranges from the first to the last non-empty one} */
  public static List<PowerRange> shown(Histogram histogram) {
    List<PowerRange> all = new ArrayList<>();
    all.add(new PowerRange(NEGATIVE, histogram.negative()));
    all.add(new PowerRange(ZERO, histogram.zeros()));
    all.add(new PowerRange(0, histogram.count(0) - histogram.zeros()));
    for (int i = 1; i < Histogram.BUCKETS; i++) {
      all.add(new PowerRange(i, histogram.count(i)));
    }
    int first = 0;
    int end = all.size();
    while (first < end && all.get(first).count == 0) {
      first++;
    }
    while (end > first && all.get(end - 1).count == 0) {
      end--;
    }
    return List.copyOf(all.subList(first, end));
  }

  /** {@return the smallest value of a non-negative range, unsigned} */
  public long min() {
    return exponent == ZERO ? 0 : 1L << exponent;
  }

  /** {@return the largest value, unsigned if the range is not negative} */
  public long max() {
    return switch (exponent) {
      case NEGATIVE -> -1;
      case ZERO -> 0;
      default -> min() + (min() - 1);
    };
  }
}
