package dev.ply.table;

import dev.ply.text.CompatibleDurations;
import dev.ply.text.Padding;
import dev.ply.text.TextBuffer;
import dev.ply.type.IntFormat;
import dev.ply.type.Type.IntType;

/**
 * Draws a histogram in ply's layout, a row for each non-empty bucket; in ply 2.4's with zeros and
 * ones in one row, and upper limits that are inclusive up to 511.
 */
final class HistogramFormat {
  private static final int BAR_COLUMNS = 32;
  static final String GAP = "\t...\n";
  private static final String SUFFIXES = " kMGTPE";

  /** Blocks of one to eight eighths of a column. */
  private static final String BLOCKS = "▏▎▍▌▋▊▉█";

  private HistogramFormat() {}

  /** Writes the rows, each with its newline. */
  static void append(TextBuffer out, Histogram histogram, Style style) {
    if (style == Style.PLY) {
      BucketFormat.append(out, histogram.ranges());
    } else {
      appendCompatible(out, histogram);
    }
  }

  private static void appendCompatible(TextBuffer out, Histogram histogram) {
    long total = histogram.count();
    // The next bucket if there is no gap; none precedes the first row.
    int next = Histogram.BUCKETS;
    if (histogram.negative() > 0) {
      out.append("\t         < 0\t");
      bar(out, histogram.negative(), total);
      if (histogram.count(0) == 0) {
        out.append(GAP);
      }
    }
    for (int i = 0; i < Histogram.BUCKETS; i++) {
      if (histogram.count(i) > 0) {
        if (i > next) {
          out.append(GAP);
        }
        out.append('\t');
        label(out, i, histogram.valueType());
        out.append('\t');
        bar(out, histogram.count(i), total);
        next = i + 1;
      }
    }
  }

  private static void label(TextBuffer out, int bucket, IntType type) {
    out.append('[');
    if (type.format().isDuration() || type.format() == IntFormat.SINCE_BOOT) {
      long low = bucket == 0 ? 0 : 1L << bucket;
      long high = (1L << bucket) + ((1L << bucket) - 1);
      CompatibleDurations.append(out, low, type.isSigned());
      out.append(", ");
      CompatibleDurations.append(out, high, type.isSigned());
      out.append(']');
      return;
    }
    boolean exact = bucket < 9;
    limit(out, bucket == 0 ? -1 : bucket, 0);
    out.append(", ");
    limit(out, bucket + 1, exact ? 1 : 0);
    out.append(exact ? ']' : ')');
  }

  /** Writes {@code 2^exponent - less} in four columns; an exponent of -1 is zero. */
  private static void limit(TextBuffer out, int exponent, int less) {
    if (exponent < 10) {
      Padding.append(out, exponent < 0 ? 0 : (1 << exponent) - less, 4);
    } else {
      Padding.append(out, 1 << exponent % 10, 3);
      out.append(SUFFIXES.charAt(exponent / 10));
    }
  }

  /** Writes count and bar of a row, for a histogram of {@code total} values. */
  static void bar(TextBuffer out, long count, long total) {
    Padding.append(out, count, 8);
    out.append(" ┤");
    // Single precision, as ply computes: else bars differ by an eighth.
    int eighths = (int) ((float) count / (float) total * 256.0 + 0.5);
    int columns = 0;
    for (; eighths > 0; eighths -= 8, columns++) {
      out.append(BLOCKS.charAt(Math.min(eighths, 8) - 1));
    }
    Padding.spaces(out, BAR_COLUMNS - columns);
    out.append("│\n");
  }
}
