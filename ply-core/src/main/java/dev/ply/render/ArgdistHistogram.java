package dev.ply.render;

import dev.ply.table.Histogram;
import dev.ply.text.Padding;
import dev.ply.text.TextBuffer;

/**
 * Draws a histogram in the layout of BCC's {@code print_log2_hist}: a row for each power of two up
 * to the last one with values, bars relative to the largest.
 */
enum ArgdistHistogram {
  /** For values of up to 32 bits. */
  NARROW("     ", 19, 10, 40),
  /** For larger values. */
  WIDE("               ", 29, 20, 20);

  /** The last row of a narrow table. */
  private static final int LAST_NARROW = 31;

  private static final int COUNT_COLUMNS = 8;

  /** The lower limit of the row of negative values. */
  private static final String NO_LIMIT = "...";

  private final String indent;
  private final int labelColumns;
  private final int limitColumns;
  private final int barColumns;

  ArgdistHistogram(String indent, int labelColumns, int limitColumns, int barColumns) {
    this.indent = indent;
    this.labelColumns = labelColumns;
    this.limitColumns = limitColumns;
    this.barColumns = barColumns;
  }

  /**
   * Writes heading and rows; nothing if there are no values. Negative values have a row of their
   * own before the others, which BCC leaves out.
   */
  static void append(TextBuffer out, String label, Histogram histogram) {
    int last = Histogram.BUCKETS - 1;
    while (last >= 0 && histogram.count(last) == 0) {
      last--;
    }
    if (last < 0 && histogram.negative() == 0) {
      return;
    }
    (last <= LAST_NARROW ? NARROW : WIDE).append(out, label, histogram, last);
  }

  private void append(TextBuffer out, String label, Histogram histogram, int last) {
    out.append(indent);
    int start = out.length();
    out.appendEscaped(label);
    Padding.spaces(out, labelColumns - out.characters(start));
    out.append(" : count     distribution\n");
    long most = histogram.negative();
    for (int i = 0; i <= last; i++) {
      most = Math.max(most, histogram.count(i));
    }
    if (histogram.negative() > 0) {
      Padding.spaces(out, limitColumns - NO_LIMIT.length());
      out.append(NO_LIMIT).append(" -> -1");
      Padding.spaces(out, limitColumns - "-1".length());
      count(out, histogram.negative(), most);
    }
    for (int i = 0; i <= last; i++) {
      limits(out, i);
      count(out, histogram.count(i), most);
    }
  }

  /** The values 0 and 1 share the first row. */
  private void limits(TextBuffer out, int bucket) {
    Padding.append(out, bucket == 0 ? 0 : 1L << bucket, limitColumns);
    out.append(" -> ");
    left(out, (1L << bucket) + ((1L << bucket) - 1), limitColumns);
  }

  private void count(TextBuffer out, long count, long most) {
    out.append(" : ");
    left(out, count, COUNT_COLUMNS);
    // In floating point, as BCC computes: else bars of large counts differ.
    int stars = (int) ((double) barColumns * count / most);
    out.append(" |").fill('*', stars);
    Padding.spaces(out, barColumns - stars);
    out.append("|\n");
  }

  private static void left(TextBuffer out, long number, int columns) {
    out.appendUnsigned(number);
    Padding.spaces(out, columns - TextBuffer.decimalDigits(number));
  }
}
