package dev.ply.bpf.reference;

import dev.ply.builtin.AggregateShape;
import dev.ply.table.Bucket;
import dev.ply.table.BucketHistogram;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Buckets of histograms as the language defines them. */
final class BucketMeaning {
  private static final BigInteger TWO = BigInteger.TWO;

  private BucketMeaning() {}

  /** Returns the empty buckets from min to max in steps, and those below and above. */
  static BucketHistogram linear(AggregateShape shape) {
    long max = shape.constant(1);
    List<Bucket> buckets = new ArrayList<>();
    buckets.add(Bucket.below(shape.constant(0), 0));
    long low = shape.constant(0);
    while (low < max) {
      long high = Math.min(low + shape.constant(2), max);
      buckets.add(Bucket.of(low, high, 0));
      low = high;
    }
    buckets.add(Bucket.from(max, 0));
    return new BucketHistogram(buckets, true).printedAs(shape.valueType().format());
  }

  /** Returns the empty buckets that divide each power of two by a number of bits. */
  static BucketHistogram logLinear(AggregateShape shape) {
    boolean isSigned = shape.valueType().isSigned();
    int width = shape.valueType().bytes() * Byte.SIZE - (isSigned ? 1 : 0);
    int bits = (int) shape.constant(0);
    List<Bucket> buckets = new ArrayList<>();
    if (isSigned) {
      buckets.add(Bucket.below(0, 0));
    }
    BigInteger low = BigInteger.ZERO;
    while (low.bitLength() <= width) {
      BigInteger step = TWO.pow(Math.max(0, low.bitLength() - 1 - bits));
      BigInteger high = low.add(step);
      boolean isLast = high.bitLength() > (isSigned ? 63 : 64);
      buckets.add(
          new Bucket(
              OptionalLong.of(low.longValue()),
              isLast ? OptionalLong.empty() : OptionalLong.of(high.longValue()),
              0));
      low = high;
    }
    return new BucketHistogram(buckets, isSigned).printedAs(shape.valueType().format());
  }

  /** Returns whether a value is in the range of a bucket. */
  static boolean contains(Bucket bucket, BigInteger value, boolean isSigned) {
    boolean isBelow =
        bucket.low().isPresent() && value.compareTo(number(bucket.low().getAsLong(), isSigned)) < 0;
    boolean isAbove =
        bucket.high().isPresent()
            && value.compareTo(number(bucket.high().getAsLong(), isSigned)) >= 0;
    return !isBelow && !isAbove;
  }

  private static BigInteger number(long value, boolean isSigned) {
    return CInteger.of(value, Long.SIZE, isSigned).value();
  }
}
