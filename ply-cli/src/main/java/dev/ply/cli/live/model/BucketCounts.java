package dev.ply.cli.live.model;

import dev.ply.table.Bucket;
import dev.ply.table.Datum;
import dev.ply.table.Histogram;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The counts of a histogram by bucket, of any aggregation. Immutable.
 *
 * @param buckets all of the histogram, ascending, empty ones included
 */
public record BucketCounts(List<Bucket> buckets) {
  /** Keeps a copy. */
  public BucketCounts {
    buckets = List.copyOf(buckets);
  }

  /** {@return the counts of a value; empty if it is no histogram} */
  public static Optional<BucketCounts> of(Datum value) {
    if (value instanceof Datum.Buckets linear) {
      return Optional.of(new BucketCounts(linear.histogram().buckets()));
    }
    return value instanceof Datum.Distribution powers
        ? Optional.of(new BucketCounts(ofPowers(powers.histogram())))
        : Optional.empty();
  }

  private static List<Bucket> ofPowers(Histogram histogram) {
    List<Bucket> buckets = new ArrayList<>(Histogram.BUCKETS + 2);
    buckets.add(Bucket.below(0, histogram.negative()));
    buckets.add(Bucket.of(0, 1, histogram.zeros()));
    buckets.add(Bucket.of(1, 2, histogram.count(0) - histogram.zeros()));
    int last = Histogram.BUCKETS - 1;
    for (int i = 1; i < last - 1; i++) {
      buckets.add(Bucket.of(1L << i, 2L << i, histogram.count(i)));
    }
    buckets.add(Bucket.from(1L << (last - 1), histogram.count(last - 1) + histogram.count(last)));
    return buckets;
  }

  /** {@return the counts alone} */
  public long[] counts() {
    return buckets.stream().mapToLong(Bucket::count).toArray();
  }

  /** {@return these buckets with other counts, one for each} */
  public BucketCounts with(long... counts) {
    List<Bucket> changed = new ArrayList<>(buckets.size());
    for (int i = 0; i < buckets.size(); i++) {
      changed.add(new Bucket(buckets.get(i).low(), buckets.get(i).high(), counts[i]));
    }
    return new BucketCounts(changed);
  }

  /** {@return the number of values} */
  public long total() {
    return buckets.stream().mapToLong(Bucket::count).sum();
  }

  /**
   * {@return the bucket of a percentile; empty if there are no values}
   *
   * @param percent from 0, the smallest value, to 100, the largest
   */
  public Optional<Bucket> percentile(int percent) {
    long total = total();
    // Without overflow.
    long rank = Math.max(1, total / 100 * percent + (total % 100 * percent + 99) / 100);
    long sum = 0;
    for (Bucket bucket : buckets) {
      sum += bucket.count();
      if (total > 0 && sum >= rank) {
        return Optional.of(bucket);
      }
    }
    return Optional.empty();
  }
}
