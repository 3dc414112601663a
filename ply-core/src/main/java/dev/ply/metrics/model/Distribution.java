package dev.ply.metrics.model;

import dev.ply.table.Bucket;
import dev.ply.table.BucketHistogram;
import dev.ply.table.Datum;
import dev.ply.table.Histogram;
import dev.ply.table.Range;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Counts of values by ranges whose bounds are the same for all distributions of an aggregation:
 * what {@code quantize}, {@code hist} and {@code lhist} have in common, as monitoring systems take
 * it. Immutable.
 */
public final class Distribution {
  private final BucketHistogram ranges;
  private final OptionalLong sum;
  private final boolean isExponential;

  private Distribution(BucketHistogram ranges, OptionalLong sum, boolean isExponential) {
    this.ranges = ranges;
    this.sum = sum;
    this.isExponential = isExponential;
  }

  /**
   * {@return the distribution of a histogram of powers of two}
   *
   * @param histogram of any values
   */
  public static Distribution of(Histogram histogram) {
    return new Distribution(histogram.ranges(), OptionalLong.empty(), true);
  }

  /**
   * {@return the distribution of a histogram of ranges}
   *
   * @param histogram of any values
   */
  public static Distribution of(BucketHistogram histogram) {
    return new Distribution(histogram, OptionalLong.empty(), false);
  }

  /**
   * {@return the distribution that a row of a map has; empty if it has another value}
   *
   * @param value of the row
   */
  public static Optional<Distribution> of(Datum value) {
    if (value instanceof Datum.Distribution powers) {
      return Optional.of(of(powers.shown()));
    }
    return value instanceof Datum.Buckets buckets
        ? Optional.of(of(buckets.histogram()))
        : Optional.empty();
  }

  /**
   * {@return this distribution with the exact sum of its values}
   *
   * @param exact kept beside it
   */
  public Distribution withSum(long exact) {
    return new Distribution(ranges, OptionalLong.of(exact), isExponential);
  }

  /** {@return whether each range is twice as wide as the one below} */
  public boolean isExponential() {
    return isExponential;
  }

  /** {@return the ranges in ascending order, with empty ones} */
  public List<Bucket> buckets() {
    return ranges.buckets();
  }

  /**
   * {@return the largest value of each range but the last, ascending} All values are whole numbers:
   * a range that ends before 1,024 holds values up to 1,023.
   */
  public List<Long> upperBounds() {
    List<Long> bounds = new ArrayList<>();
    for (Bucket bucket : ranges.buckets()) {
      bucket.high().ifPresent(high -> bounds.add(high - 1));
    }
    return bounds;
  }

  /** {@return how many values are at most as large as each bound, and, last, all of them} */
  public List<Long> cumulativeCounts() {
    List<Long> counts = new ArrayList<>();
    long count = 0;
    for (Bucket bucket : ranges.buckets()) {
      count += bucket.count();
      counts.add(count);
    }
    if (counts.size() == upperBounds().size()) {
      counts.add(count);
    }
    return counts;
  }

  /** {@return the number of values} */
  public long count() {
    return ranges.count();
  }

  /** {@return the limits of the sum of all values; both are the sum where it is known} */
  public Range sum() {
    return sum.isPresent()
        ? new Range(sum.getAsLong(), sum.getAsLong())
        : count() == 0 ? new Range(0, 0) : ranges.sum();
  }

  /**
   * {@return the sum of all values: exact where it is kept, else with each value halfway between
   * the limits of its range, or at the only limit}
   */
  public double total() {
    if (sum.isPresent()) {
      return sum.getAsLong();
    }
    double total = 0;
    for (Bucket bucket : ranges.buckets()) {
      if (bucket.count() > 0) {
        double low = bucket.low().isPresent() ? number(bucket.low().getAsLong()) : 0;
        double high = bucket.high().isPresent() ? number(bucket.high().getAsLong() - 1) : low;
        total += bucket.count() * (bucket.low().isPresent() ? (low + high) / 2 : high);
      }
    }
    return total;
  }

  private double number(long bound) {
    return ranges.isSigned() || bound >= 0 ? bound : (bound >>> 1) * 2.0;
  }

  /** {@return whether {@link #sum} is exact} */
  public boolean hasExactSum() {
    return sum.isPresent();
  }

  /**
   * {@return the limits of a percentile}
   *
   * @param percent from 0, the smallest value, to 100, the largest
   * @throws IllegalStateException if there are no values
   */
  public Range percentile(double percent) {
    return ranges.percentile(percent);
  }

  /**
   * {@return a percentile of nanoseconds, halfway between its limits; of the range without an end,
   * its beginning}
   *
   * @param percent from 0, the smallest value, to 100, the largest
   * @throws IllegalStateException if there are no values
   */
  public Duration duration(double percent) {
    Range range = percentile(percent);
    return Duration.ofNanos(range.high() == Long.MAX_VALUE ? range.low() : range.middle());
  }

  /**
   * {@return the distribution of these values and others}
   *
   * @param other of the same aggregation
   * @throws IllegalArgumentException if the others have other ranges
   */
  public Distribution plus(Distribution other) {
    return new Distribution(
        ranges.plus(other.ranges),
        sum.isPresent() && other.sum.isPresent()
            ? OptionalLong.of(sum.getAsLong() + other.sum.getAsLong())
            : OptionalLong.empty(),
        isExponential);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Distribution that
        && ranges.equals(that.ranges)
        && sum.equals(that.sum)
        && isExponential == that.isExponential;
  }

  @Override
  public int hashCode() {
    return 31 * ranges.hashCode() + sum.hashCode();
  }

  /** Draws the distribution, a row for each range with values. */
  @Override
  public String toString() {
    return ranges.toString();
  }
}
