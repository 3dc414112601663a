package dev.ply.result;

import dev.ply.type.Type.IntType;
import java.util.Arrays;

/**
 * How often values fell between powers of two.
 *
 * <p>Bucket 0 counts the values 0 and 1, bucket {@code i} those from {@code 2^i} to {@code 2^(i+1)
 * - 1}; negative values have a bucket of their own. Immutable.
 */
public final class Histogram {
  /** How many buckets there are for values from zero up. */
  public static final int BUCKETS = 64;

  private final IntType valueType;
  private final long negative;
  private final long[] counts;

  /**
   * A histogram of given counts.
   *
   * @param valueType the type of the values counted, which decides how bucket limits print
   * @param negative how many values were below zero
   * @param counts one count for each bucket from 0 up, at most {@link #BUCKETS}
   */
  public Histogram(IntType valueType, long negative, long[] counts) {
    if (counts.length > BUCKETS) {
      throw new IllegalArgumentException("at most " + BUCKETS + " buckets, not " + counts.length);
    }
    this.valueType = valueType;
    this.negative = negative;
    this.counts = Arrays.copyOf(counts, BUCKETS);
  }

  /** Returns the type of the values counted. */
  public IntType valueType() {
    return valueType;
  }

  /** Returns how many values were below zero. */
  public long negative() {
    return negative;
  }

  /** Returns how many values fell into bucket {@code index}, 0 to 63. */
  public long count(int index) {
    return counts[index];
  }

  /** Returns how many values fell into the bucket that {@code value} falls into. */
  public long countOf(long value) {
    return value < 0 && valueType.isSigned() ? negative : counts[bucketOf(value)];
  }

  /** Returns how many values were counted. */
  public long total() {
    return negative + Arrays.stream(counts).sum();
  }

  /** Returns the bucket of {@code value}, taken as unsigned. */
  public static int bucketOf(long value) {
    return value == 0 ? 0 : 63 - Long.numberOfLeadingZeros(value);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Histogram that
        && negative == that.negative
        && valueType.equals(that.valueType)
        && Arrays.equals(counts, that.counts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(counts) * 31 + Long.hashCode(negative);
  }

  /** Draws the distribution, a row for each bucket that is not empty. */
  @Override
  public String toString() {
    TextBuffer out = new TextBuffer();
    HistogramFormat.append(out, this);
    return out.toString();
  }
}
