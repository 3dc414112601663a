package dev.ply.result;

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

  /** Writes heading and rows; nothing if no row has values. Negative values are in no row. */
  static void append(TextBuffer out, String label, Histogram histogram) {
    int last = Histogram.BUCKETS - 1;
    while (last >= 0 && histogram.count(last) == 0) {
      last--;
    }
    if (last < 0) {
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
    long most = 0;
    for (int i = 0; i <= last; i++) {
      most = Math.max(most, histogram.count(i));
    }
    for (int i = 0; i <= last; i++) {
      row(out, i, histogram.count(i), most);
    }
  }

  /** The values 0 and 1 share the first row. */
  private void row(TextBuffer out, int bucket, long count, long most) {
    Padding.append(out, bucket == 0 ? 0 : 1L << bucket, limitColumns);
    out.append(" -> ");
    left(out, (1L << bucket) + ((1L << bucket) - 1), limitColumns);
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
