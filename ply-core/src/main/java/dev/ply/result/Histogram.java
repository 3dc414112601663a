package dev.ply.result;

import dev.ply.type.Type.IntType;
import java.util.Arrays;

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

  /** Returns the type of the values. */
  public IntType valueType() {
    return valueType;
  }

  /** Returns the number of negative values. */
  public long negative() {
    return negative;
  }

  /** Returns the number of zeros. */
  public long zeros() {
    return zeros;
  }

  /** Returns the count of bucket {@code index}, 0 to 63. */
  public long count(int index) {
    return counts[index];
  }

  /** Returns the count of the bucket that contains {@code value}. */
  public long countOf(long value) {
    return value < 0 && valueType.isSigned() ? negative : counts[bucketOf(value)];
  }

  /** Returns the number of values. */
  public long total() {
    return negative + Arrays.stream(counts).sum();
  }

  /** Returns the bucket that contains {@code value}, as unsigned. */
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
    HistogramFormat.append(out, this);
    return out.toString();
  }
}
