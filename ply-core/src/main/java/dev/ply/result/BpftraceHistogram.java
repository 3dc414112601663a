package dev.ply.result;

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

  /** Writes the rows, each with its newline. */
  static void append(TextBuffer out, Histogram histogram) {
    List<PowerRange> ranges = PowerRange.shown(histogram);
    long most = ranges.stream().mapToLong(PowerRange::count).max().orElse(0);
    for (PowerRange range : ranges) {
      row(out, label(range), range.count(), most);
    }
  }

  /** Writes the rows of a histogram of adjacent ranges, each with its newline. */
  static void append(TextBuffer out, BucketHistogram histogram) {
    List<Bucket> buckets = histogram.withoutEmptyEnds();
    long most = buckets.stream().mapToLong(Bucket::count).max().orElse(0);
    for (Bucket bucket : buckets) {
      row(out, label(bucket, histogram.isSigned()), bucket.count(), most);
    }
  }

  private static String label(Bucket bucket, boolean isSigned) {
    if (bucket.low().isEmpty()) {
      return "(..., " + limit(bucket.high(), isSigned) + ")";
    }
    return "[" + limit(bucket.low(), isSigned) + ", " + limit(bucket.high(), isSigned) + ")";
  }

  private static String limit(OptionalLong limit, boolean isSigned) {
    return limit.isEmpty() ? "..." : BucketFormat.limit(limit.getAsLong(), isSigned, "KMGTPE");
  }

  /** Writes a row of a histogram of which the largest count is {@code most}. */
  static void row(TextBuffer out, String label, long count, long most) {
    out.append(label);
    Padding.spaces(out, LABEL_COLUMNS - label.length());
    Padding.append(out, count, COUNT_COLUMNS);
    out.append(" |");
    // Single precision, as bpftrace computes: else bars differ by a column.
    int columns = (int) ((float) count / (float) most * BAR_COLUMNS);
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
