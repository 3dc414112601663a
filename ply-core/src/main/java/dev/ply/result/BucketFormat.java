package dev.ply.result;

import java.util.List;
import java.util.OptionalLong;

/**
 * Draws a histogram of ranges in ply's layout: a row for each non-empty bucket, three dots for
 * skipped ones.
 */
final class BucketFormat {
  private static final int LEAST_COLUMNS = 4;
  private static final String SUFFIXES = "kMGTPE";

  private BucketFormat() {}

  /** Writes the rows, each with its newline. */
  static void append(TextBuffer out, BucketHistogram histogram) {
    List<Bucket> buckets = histogram.buckets();
    long total = histogram.count();
    int columns = columns(histogram);
    boolean isGap = false;
    boolean isFirst = true;
    for (Bucket bucket : buckets) {
      if (bucket.count() == 0) {
        isGap = true;
        continue;
      }
      if (isGap && !isFirst) {
        out.append(HistogramFormat.GAP);
      }
      out.append('\t').append(bucket.low().isPresent() ? '[' : '(');
      right(out, limit(bucket.low(), histogram), columns);
      out.append(", ");
      right(out, limit(bucket.high(), histogram), columns);
      out.append(")\t");
      HistogramFormat.bar(out, bucket.count(), total);
      isGap = false;
      isFirst = false;
    }
  }

  private static int columns(BucketHistogram histogram) {
    int columns = LEAST_COLUMNS;
    for (Bucket bucket : histogram.buckets()) {
      if (bucket.count() > 0) {
        columns = Math.max(columns, limit(bucket.low(), histogram).length());
        columns = Math.max(columns, limit(bucket.high(), histogram).length());
      }
    }
    return columns;
  }

  private static void right(TextBuffer out, String limit, int columns) {
    Padding.spaces(out, columns - limit.length());
    out.append(limit);
  }

  private static String limit(OptionalLong limit, BucketHistogram histogram) {
    return limit.isEmpty() ? "..." : limit(limit.getAsLong(), histogram.isSigned(), SUFFIXES);
  }

  /** Returns a limit in the largest unit that divides it. */
  static String limit(long value, boolean isSigned, String suffixes) {
    int unit = 0;
    long rest = value;
    while (unit < suffixes.length() && rest != 0 && (rest & 1023) == 0) {
      rest = isSigned ? rest / 1024 : rest >>> 10;
      unit++;
    }
    return (isSigned ? Long.toString(rest) : Long.toUnsignedString(rest))
        + (unit == 0 ? "" : suffixes.substring(unit - 1, unit));
  }
}
