package dev.ply.table;

import dev.ply.text.Durations;
import dev.ply.text.Padding;
import dev.ply.text.TextBuffer;
import java.util.List;
import java.util.OptionalLong;

/**
 * Draws a histogram of ranges in ply's layout: a row for each non-empty bucket, three dots for
 * skipped ones. Upper limits are exclusive.
 */
public final class BucketFormat {
  private static final int LEAST_COLUMNS = 4;
  private static final String SUFFIXES = "kMGTPE";

  private BucketFormat() {}

  /** Writes the rows, each with its newline. */
  static void append(TextBuffer out, BucketHistogram histogram) {
    List<Bucket> buckets = histogram.buckets();
    long total = histogram.count();
    boolean isLinear = histogram.isLinear();
    int columns = columns(histogram, isLinear);
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
      right(out, limit(bucket.low(), histogram, isLinear), columns);
      out.append(", ");
      right(out, limit(bucket.high(), histogram, isLinear), columns);
      out.append(")\t");
      HistogramFormat.bar(out, bucket.count(), total);
      isGap = false;
      isFirst = false;
    }
  }

  private static int columns(BucketHistogram histogram, boolean isLinear) {
    int columns = LEAST_COLUMNS;
    for (Bucket bucket : histogram.buckets()) {
      if (bucket.count() > 0) {
        columns = Math.max(columns, limit(bucket.low(), histogram, isLinear).length());
        columns = Math.max(columns, limit(bucket.high(), histogram, isLinear).length());
      }
    }
    return columns;
  }

  private static void right(TextBuffer out, String limit, int columns) {
    Padding.spaces(out, columns - limit.length());
    out.append(limit);
  }

  private static String limit(OptionalLong limit, BucketHistogram histogram, boolean isLinear) {
    if (limit.isEmpty()) {
      return "...";
    }
    long value = limit.getAsLong();
    boolean isTime = histogram.format().isDuration() || histogram.format().isPointInTime();
    if (!isTime) {
      return limit(value, histogram.isSigned(), SUFFIXES);
    }
    return isLinear || value == 0
        ? Durations.exact(value, histogram.isSigned())
        : rounded(value, histogram.isSigned());
  }

  /** Returns a limit that a power of two decides, which no unit divides. */
  private static String rounded(long value, boolean isSigned) {
    TextBuffer out = new TextBuffer();
    Durations.append(out, value, isSigned);
    return out.toString();
  }

  /**
   * {@return a limit in the largest unit that divides it}
   *
   * @param value of the limit
   * @param isSigned whether values are signed
   * @param suffixes of the powers of 1024, ascending
   */
  public static String limit(long value, boolean isSigned, String suffixes) {
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
