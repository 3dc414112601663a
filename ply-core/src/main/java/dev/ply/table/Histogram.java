package dev.ply.table;

import dev.ply.text.TextBuffer;
import dev.ply.type.Type.IntType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Counts of values by powers of two.
 *
 * <p>Bucket 0 counts the values 0 and 1, bucket {@code i} those from {@code 2^i} to {@code 2^(i+1)
 * - 1}; negative values have a bucket of their own. Immutable.
 */
public final class Histogram {
  /** The number of buckets for non-negative values. */
  public static final int BUCKETS = 64;

  private final IntType valueType;
  private final long negative;
  private final long zeros;
  private final long[] counts;

  /**
   * Creates a histogram of counts.
   *
   * @param valueType the type of the values, which determines how bucket limits print
   * @param negative the number of negative values
   * @param zeros the number of zeros, which bucket 0 counts, too
   * @param counts one count for each bucket from 0 up, at most {@link #BUCKETS}
   */
  public Histogram(IntType valueType, long negative, long zeros, long[] counts) {
    if (counts.length > BUCKETS) {
      throw new IllegalArgumentException("at most " + BUCKETS + " buckets, not " + counts.length);
    }
    this.valueType = valueType;
    this.negative = negative;
    this.zeros = zeros;
    this.counts = Arrays.copyOf(counts, BUCKETS);
  }

  /** {@return the type of the values} */
  public IntType valueType() {
    return valueType;
  }

  /** {@return the number of negative values} */
  public long negative() {
    return negative;
  }

  /** {@return the number of zeros} */
  public long zeros() {
    return zeros;
  }

  /**
   * {@return the count of bucket {@code index}, 0 to 63}
   *
   * @param index 0 to 63
   */
  public long count(int index) {
    return counts[index];
  }

  /**
   * {@return the count of the bucket that contains {@code value}}
   *
   * @param value any number of the type
   */
  public long countOf(long value) {
    return value < 0 && valueType.isSigned() ? negative : counts[bucketOf(value)];
  }

  /** {@return the number of values} */
  public long count() {
    return negative + Arrays.stream(counts).sum();
  }

  /**
   * {@return the ranges from the first to the last that is not empty, ascending; zero and one have
   * a range each}
   */
  public List<Bucket> buckets() {
    return ranges().withoutEmptyEnds();
  }

  /**
   * {@return all ranges, including the empty ones at both ends; 0 and 1 have a range of their own}
   */
  public BucketHistogram ranges() {
    List<Bucket> buckets = new ArrayList<>();
    buckets.add(Bucket.below(0, negative));
    buckets.add(Bucket.of(0, 1, zeros));
    buckets.add(Bucket.of(1, 2, counts[0] - zeros));
    boolean isSigned = valueType.isSigned();
    int last = isSigned ? BUCKETS - 2 : BUCKETS - 1;
    for (int i = 1; i < last; i++) {
      long low = 1L << i;
      buckets.add(Bucket.of(low, 2 * low, counts[i]));
    }
    buckets.add(Bucket.from(1L << last, counts[last]));
    return new BucketHistogram(isSigned ? buckets : buckets.subList(1, buckets.size()), isSigned)
        .printedAs(valueType.format());
  }

  private BucketSummary summary() {
    int bits = valueType.bytes() * Byte.SIZE;
    boolean isSigned = valueType.isSigned();
    return new BucketSummary(
        ranges().buckets(),
        isSigned,
        isSigned ? -1L << (bits - 1) : 0,
        -1L >>> (Long.SIZE - bits + (isSigned ? 1 : 0)));
  }

  /**
   * {@return the limits of a percentile: the smallest value that this share of the values does not
   * exceed} The upper limit is less than twice the lower one.
   *
   * @param percent from 0, the smallest value, to 100, the largest
   * @throws IllegalStateException if there are no values
   */
  public Range percentile(double percent) {
    return summary().percentile(percent);
  }

  /** {@return the limits of the smallest value, as a percentile has them} */
  public Range min() {
    return percentile(0);
  }

  /** {@return the limits of the largest value, as a percentile has them} */
  public Range max() {
    return percentile(100);
  }

  /** {@return the limits of the sum of all values} For the exact sum, aggregate it as well. */
  public Range sum() {
    return summary().sum();
  }

  /**
   * {@return the histogram of these values and others}
   *
   * @param other a histogram of the same type
   * @throws IllegalArgumentException if the others have another type
   */
  public Histogram plus(Histogram other) {
    return combined(other, 1);
  }

  /**
   * {@return the histogram of these values without earlier ones}
   *
   * @param earlier a histogram of the same map, read before this one
   * @throws IllegalArgumentException if the others have another type, or are not among these values
   */
  public Histogram minus(Histogram earlier) {
    return combined(earlier, -1);
  }

  private Histogram combined(Histogram other, int sign) {
    if (!valueType.equals(other.valueType)) {
      throw new IllegalArgumentException(
          "histograms of " + valueType.name() + " and " + other.valueType.name());
    }
    long[] combined = new long[BUCKETS];
    for (int i = 0; i < BUCKETS; i++) {
      combined[i] = Bucket.combined(counts[i], other.counts[i], sign);
    }
    return new Histogram(
        valueType,
        Bucket.combined(negative, other.negative, sign),
        Bucket.combined(zeros, other.zeros, sign),
        combined);
  }

  /**
   * {@return the bucket that contains {@code value}, as unsigned}
   *
   * @param value 64 bits, unsigned
   */
  public static int bucketOf(long value) {
    return value == 0 ? 0 : 63 - Long.numberOfLeadingZeros(value);
  }

  /** Returns this histogram with its counts divided. */
  Histogram dividedBy(long divisor) {
    long[] divided = Arrays.stream(counts).map(count -> count / divisor).toArray();
    return new Histogram(valueType, negative / divisor, zeros / divisor, divided);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Histogram that
        && negative == that.negative
        && zeros == that.zeros
        && valueType.equals(that.valueType)
        && Arrays.equals(counts, that.counts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(counts) * 31 + Long.hashCode(negative);
  }

  /** Draws the histogram, a row for each non-empty bucket. */
  @Override
  public String toString() {
    TextBuffer out = new TextBuffer();
    HistogramFormat.append(out, this, Style.PLY);
    return out.toString();
  }
}
