package dev.ply.table;

import java.math.BigInteger;
import java.util.List;

/**
 * Facts about values in ranges: limits of percentiles, of the smallest, of the largest and of their
 * sum.
 *
 * @param buckets ascending
 * @param lowest the smallest value of the type, which the first range may include
 * @param highest the largest value of the type
 */
record BucketSummary(List<Bucket> buckets, boolean isSigned, long lowest, long highest) {
  private static final double ALL = 100;

  /** Returns the number of values. */
  long count() {
    return buckets.stream().mapToLong(Bucket::count).sum();
  }

  /** Returns the limits of the value that {@code percent} of the values do not exceed. */
  Range percentile(double percent) {
    if (!(percent >= 0 && percent <= ALL)) {
      throw new IllegalArgumentException("a percentile is from 0 to 100, not " + percent);
    }
    long count = count();
    long rank = Math.max(1, (long) Math.ceil(percent / ALL * count));
    long seen = 0;
    for (Bucket bucket : buckets) {
      seen += bucket.count();
      if (seen >= rank) {
        return limits(bucket);
      }
    }
    throw new IllegalStateException("a histogram without values has no percentiles");
  }

  /** Returns the limits of the sum, within 64 bits. */
  Range sum() {
    BigInteger low = BigInteger.ZERO;
    BigInteger high = BigInteger.ZERO;
    for (Bucket bucket : buckets) {
      BigInteger count = big(bucket.count(), false);
      Range limits = limits(bucket);
      low = low.add(count.multiply(big(limits.low(), isSigned)));
      high = high.add(count.multiply(big(limits.high(), isSigned)));
    }
    return new Range(clamp(low), clamp(high));
  }

  private Range limits(Bucket bucket) {
    return new Range(
        bucket.low().orElse(lowest),
        bucket.high().isPresent() ? bucket.high().getAsLong() - 1 : highest);
  }

  private long clamp(BigInteger value) {
    BigInteger least = big(isSigned ? Long.MIN_VALUE : 0, isSigned);
    BigInteger most = big(isSigned ? Long.MAX_VALUE : -1, isSigned);
    return value.max(least).min(most).longValue();
  }

  private static BigInteger big(long value, boolean isSigned) {
    BigInteger signed = BigInteger.valueOf(value);
    return isSigned || value >= 0 ? signed : signed.add(BigInteger.ONE.shiftLeft(Long.SIZE));
  }
}
