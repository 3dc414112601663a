package dev.ply.text;

/** Pads output to a width. */
public final class Padding {
  private Padding() {}

  /** Writes an unsigned number, right-aligned in {@code width} columns. */
  public static void append(TextBuffer out, long number, int width) {
    spaces(out, width - TextBuffer.decimalDigits(number));
    out.appendUnsigned(number);
  }

  /** Writes {@code count} spaces, none if negative. */
  public static void spaces(TextBuffer out, int count) {
    out.fill(' ', count);
  }
}
