package dev.ply.result;

/** Brings text to a width. */
final class Padding {
  private Padding() {}

  /** Writes an unsigned number with spaces before it, {@code width} columns at least. */
  static void append(TextBuffer out, long number, int width) {
    spaces(out, width - TextBuffer.decimalDigits(number));
    out.appendUnsigned(number);
  }

  /** Writes {@code count} spaces, none if that is negative. */
  static void spaces(TextBuffer out, int count) {
    out.fill(' ', count);
  }
}
