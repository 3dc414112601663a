package dev.ply.table;

import dev.ply.binding.ComponentKind;
import dev.ply.binding.Decoded;
import dev.ply.text.TextBuffer;
import dev.ply.type.IntFormat;
import dev.ply.type.Type.IntType;
import java.util.ArrayList;
import java.util.List;

/**
 * A histogram of adjacent ranges in ascending order, including empty ones. Limits have the
 * signedness of the values.
 *
 * @param buckets adjacent, in ascending order
 * @param isSigned whether values are signed
 * @param format how limits are printed: as times or as plain numbers
 */
@Decoded(ComponentKind.OTHER)
public record BucketHistogram(List<Bucket> buckets, boolean isSigned, IntFormat format) {
  /** Copies the buckets. */
  public BucketHistogram {
    buckets = List.copyOf(buckets);
  }

  /**
   * Creates a histogram whose limits are plain numbers.
   *
   * @param buckets adjacent, in ascending order
   * @param isSigned whether values are signed
   */
  public BucketHistogram(List<Bucket> buckets, boolean isSigned) {
    this(buckets, isSigned, IntFormat.DECIMAL);
  }

  /**
   * {@return this histogram with limits in a format, if it is one of times}
   *
   * @param valueFormat of the values
   */
  public BucketHistogram printedAs(IntFormat valueFormat) {
    return new BucketHistogram(buckets, isSigned, valueFormat.ofExtreme());
  }

  /**
   * {@return the number of ranges of {@code step} from {@code min} to {@code max}}
   *
   * @param min the lower limit of the first range
   * @param max the upper limit of the last range
   * @param step the width of a range, positive
   */
  public static int linearBuckets(long min, long max, long step) {
    return Math.toIntExact((max - min - 1) / step + 1);
  }

  /**
   * {@return a histogram of ranges of equal width}
   *
   * @param min the lower limit of the first range
   * @param max the upper limit of the last range
   * @param step the width of a range, positive
   * @param counts of values below {@code min}, of each range, and of values from {@code max} up
   */
  public static BucketHistogram linear(long min, long max, long step, long[] counts) {
    List<Bucket> buckets = new ArrayList<>();
    int ranges = linearBuckets(min, max, step);
    buckets.add(Bucket.below(min, counts[0]));
    for (int i = 0; i < ranges; i++) {
      long low = min + i * step;
      buckets.add(Bucket.of(low, i == ranges - 1 ? max : low + step, counts[i + 1]));
    }
    buckets.add(Bucket.from(max, counts[ranges + 1]));
    return new BucketHistogram(buckets, true);
  }

  /**
   * {@return a histogram in which each power of two is divided into {@code 2^bits} ranges of equal
   * width; values below {@code 2^(bits+1)} have a range each}
   *
   * @param bits 0 for powers of two; each more halves the width of the ranges
   * @param valueType its size and signedness
   * @param counts of each range from zero up; for signed values, the last one counts negative
   *     values
   */
  public static BucketHistogram logLinear(int bits, IntType valueType, long[] counts) {
    List<Bucket> buckets = new ArrayList<>();
    boolean isSigned = valueType.isSigned();
    int width = valueType.bytes() * Byte.SIZE - (isSigned ? 1 : 0);
    int ranges = (width + 1 - bits) << bits;
    if (isSigned) {
      buckets.add(Bucket.below(0, counts[counts.length - 1]));
    }
    for (int i = 0; i < ranges; i++) {
      int exponent = Math.max(0, (i >> bits) - 1);
      long first = i < 1 << bits ? i : (i & ((1 << bits) - 1)) + (1L << bits);
      long low = first << exponent;
      long high = low + (1L << exponent);
      boolean isLast = isSigned ? high < 0 : high == 0;
      buckets.add(isLast ? Bucket.from(low, counts[i]) : Bucket.of(low, high, counts[i]));
    }
    return new BucketHistogram(buckets, isSigned).printedAs(valueType.format());
  }

  /** {@return whether the ranges have one width, the last one excepted, which may be narrower} */
  public boolean isLinear() {
    List<Bucket> bounded =
        buckets.stream()
            .filter(bucket -> bucket.low().isPresent() && bucket.high().isPresent())
            .toList();
    return width(bounded.get(bounded.size() - 1)) <= width(bounded.get(0));
  }

  private static long width(Bucket bucket) {
    return bucket.high().orElseThrow() - bucket.low().orElseThrow();
  }

  /** {@return the buckets from the first to the last that is not empty} */
  public List<Bucket> withoutEmptyEnds() {
    int first = 0;
    int end = buckets.size();
    while (first < end && buckets.get(first).count() == 0) {
      first++;
    }
    while (end > first && buckets.get(end - 1).count() == 0) {
      end--;
    }
    return buckets.subList(first, end);
  }

  /** Returns this histogram with its counts divided. */
  BucketHistogram dividedBy(long divisor) {
    return new BucketHistogram(
        buckets.stream()
            .map(bucket -> new Bucket(bucket.low(), bucket.high(), bucket.count() / divisor))
            .toList(),
        isSigned,
        format);
  }

  /** {@return the number of values} */
  public long count() {
    return summary().count();
  }

  private BucketSummary summary() {
    return new BucketSummary(
        buckets, isSigned, isSigned ? Long.MIN_VALUE : 0, isSigned ? Long.MAX_VALUE : -1);
  }

  /**
   * {@return the limits of a percentile: the smallest value that this share of the values does not
   * exceed} The range of the values below or above all others reaches to the end of 64 bits.
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
   * @param other a histogram of the same aggregation
   * @throws IllegalArgumentException if the others have other ranges
   */
  public BucketHistogram plus(BucketHistogram other) {
    return combined(other, 1);
  }

  /**
   * {@return the histogram of these values without earlier ones}
   *
   * @param earlier a histogram of the same map, read before this one
   * @throws IllegalArgumentException if the others have other ranges, or are not among these values
   */
  public BucketHistogram minus(BucketHistogram earlier) {
    return combined(earlier, -1);
  }

  private BucketHistogram combined(BucketHistogram other, int sign) {
    if (isSigned != other.isSigned || buckets.size() != other.buckets.size()) {
      throw new IllegalArgumentException("histograms with different ranges");
    }
    List<Bucket> combined = new ArrayList<>();
    for (int i = 0; i < buckets.size(); i++) {
      Bucket one = buckets.get(i);
      Bucket two = other.buckets.get(i);
      if (!one.low().equals(two.low()) || !one.high().equals(two.high())) {
        throw new IllegalArgumentException("histograms with different ranges");
      }
      combined.add(
          new Bucket(one.low(), one.high(), Bucket.combined(one.count(), two.count(), sign)));
    }
    return new BucketHistogram(combined, isSigned, format);
  }

  /**
   * {@return the count of the range that contains {@code value}}
   *
   * @param value any number
   */
  public long countOf(long value) {
    for (Bucket bucket : buckets) {
      if (bucket.high().isEmpty() || compare(value, bucket.high().getAsLong()) < 0) {
        return bucket.count();
      }
    }
    return 0;
  }

  private int compare(long a, long b) {
    return isSigned ? Long.compare(a, b) : Long.compareUnsigned(a, b);
  }

  /** Draws the histogram in ply's layout, a row for each bucket that is not empty. */
  @Override
  public String toString() {
    TextBuffer out = new TextBuffer();
    BucketFormat.append(out, this);
    return out.toString();
  }
}
