package dev.ply.render;

import dev.ply.table.Bucket;
import dev.ply.table.BucketFormat;
import dev.ply.table.BucketHistogram;
import dev.ply.table.Datum;
import dev.ply.text.Padding;
import dev.ply.text.TextBuffer;
import java.util.List;
import java.util.OptionalLong;

/**
 * Draws a histogram in bpftrace's layout: a row for each bucket from the first to the last that is
 * not empty, bars relative to the largest.
 */
final class BpftraceHistogram {
  private static final int LABEL_COLUMNS = 16;
  private static final int COUNT_COLUMNS = 8;
  private static final int BAR_COLUMNS = 52;
  private static final String SUFFIXES = " KMGTPE";

  private BpftraceHistogram() {}

  /** Writes the rows, each with its newline; a divisor changes the counts only. */
  static void append(TextBuffer out, Datum.Distribution distribution) {
    List<PowerRange> ranges = PowerRange.shown(distribution.histogram());
    long most = ranges.stream().mapToLong(PowerRange::count).max().orElse(0);
    for (PowerRange range : ranges) {
      long count = range.count();
      row(out, label(range), count / distribution.divisor(), columns(count, most));
    }
  }

  /** Writes the rows of a histogram of adjacent ranges, each with its newline. */
  static void append(TextBuffer out, BucketHistogram histogram) {
    List<Bucket> buckets = histogram.withoutEmptyEnds();
    long most = buckets.stream().mapToLong(Bucket::count).max().orElse(0);
    boolean isLinear = histogram.isLinear();
    for (Bucket bucket : buckets) {
      String label =
          isLinear ? label(bucket, histogram.isSigned()) : partOfPower(bucket, histogram);
      row(out, label, bucket.count(), columns(bucket.count(), most));
    }
  }

  private static String label(Bucket bucket, boolean isSigned) {
    if (bucket.low().isEmpty()) {
      return "(..., " + limit(bucket.high(), isSigned) + ")";
    }
    return "[" + limit(bucket.low(), isSigned) + ", " + limit(bucket.high(), isSigned) + ")";
  }

  /** Returns the label of a range that is a part of a power of two. */
  private static String partOfPower(Bucket bucket, BucketHistogram histogram) {
    if (bucket.low().isEmpty() || bucket.high().isEmpty()) {
      return label(bucket, histogram.isSigned());
    }
    long low = bucket.low().getAsLong();
    long high = bucket.high().getAsLong();
    long width = high - low;
    if (width == 1) {
      return "[" + low + "]";
    }
    // The next range is as wide, or twice as wide where a power of two begins.
    long next = Long.bitCount(high) == 1 ? 2 * width : width;
    return "[" + inUnitOf(width, low) + ", " + inUnitOf(next, high) + ")";
  }

  /** Returns a limit in the largest unit that is not larger than the width of its range. */
  private static String inUnitOf(long width, long limit) {
    int power = Long.numberOfTrailingZeros(width);
    int unit = power / 10;
    String number = Long.toUnsignedString(limit >>> (10 * unit));
    return unit == 0 ? number : number + SUFFIXES.charAt(unit);
  }

  private static String limit(OptionalLong limit, boolean isSigned) {
    return limit.isEmpty() ? "..." : BucketFormat.limit(limit.getAsLong(), isSigned, "KMGTPE");
  }

  /** In single precision, as bpftrace computes: else bars differ by a column. */
  private static int columns(long count, long most) {
    return (int) ((float) count / (float) most * BAR_COLUMNS);
  }

  private static void row(TextBuffer out, String label, long count, int columns) {
    out.append(label);
    Padding.spaces(out, LABEL_COLUMNS - label.length());
    Padding.append(out, count, COUNT_COLUMNS);
    out.append(" |");
    out.fill('@', columns);
    Padding.spaces(out, BAR_COLUMNS - columns);
    out.append("|\n");
  }

  private static String label(PowerRange range) {
    return switch (range.exponent()) {
      case PowerRange.NEGATIVE -> "(..., 0)";
      case PowerRange.ZERO -> "[0]";
      case 0 -> "[1]";
      default -> "[" + power(range.exponent()) + ", " + power(range.exponent() + 1) + ")";
    };
  }

  private static String power(int exponent) {
    int rest = 1 << exponent % 10;
    return exponent < 10 ? String.valueOf(rest) : rest + "" + SUFFIXES.charAt(exponent / 10);
  }
}
