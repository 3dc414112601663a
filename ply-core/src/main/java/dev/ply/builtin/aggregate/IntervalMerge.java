package dev.ply.builtin.aggregate;

import static dev.ply.builtin.aggregate.TimeSeriesFunction.NUMBER;
import static dev.ply.builtin.aggregate.TimeSeriesFunction.VALUE;
import static dev.ply.builtin.aggregate.TimeSeriesFunction.WEIGHT;

import dev.ply.builtin.AggregateShape;
import dev.ply.builtin.Merge;

/** Merges the accumulators of time series: of intervals in one place, the newer one is kept. */
record IntervalMerge(AggregateShape shape) implements Merge {
  @Override
  public boolean canSubtract() {
    return false;
  }

  @Override
  public long[] of(long[] a, long[] b) {
    long[] merged = a.clone();
    int each = TimeSeriesFunction.wordsEach(shape);
    for (int i = 0; i < each * TimeSeriesFunction.intervals(shape); i += each) {
      int order = Long.compareUnsigned(a[i + NUMBER], b[i + NUMBER]);
      if (order < 0) {
        System.arraycopy(b, i, merged, i, each);
      } else if (order == 0) {
        combine(merged, b, i);
      }
    }
    return merged;
  }

  private void combine(long[] merged, long[] more, int i) {
    switch (TimeSeriesFunction.reduction(shape)) {
      case LAST -> {
        if (Long.compareUnsigned(more[i + WEIGHT], merged[i + WEIGHT]) > 0) {
          merged[i + VALUE] = more[i + VALUE];
          merged[i + WEIGHT] = more[i + WEIGHT];
        }
      }
      case AVG -> {
        merged[i + VALUE] += more[i + VALUE];
        merged[i + WEIGHT] += more[i + WEIGHT];
      }
      case SUM -> merged[i + VALUE] += more[i + VALUE];
      case MIN, MAX -> {
        if (Long.compareUnsigned(more[i + VALUE], merged[i + VALUE]) > 0) {
          merged[i + VALUE] = more[i + VALUE];
        }
      }
    }
  }

  /** Returns the intervals that have changed, whole. */
  @Override
  public long[] since(long[] words, long[] shown) {
    long[] changed = words.clone();
    int each = TimeSeriesFunction.wordsEach(shape);
    for (int i = 0; i < each * TimeSeriesFunction.intervals(shape); i += each) {
      boolean same = true;
      for (int word = i; word < i + each; word++) {
        same &= words[word] == shown[word];
      }
      for (int word = i; same && word < i + each; word++) {
        changed[word] = 0;
      }
    }
    return changed;
  }
}
