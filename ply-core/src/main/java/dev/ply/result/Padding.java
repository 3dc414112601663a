package dev.ply.result;

/** Brings text to a width. */
final class Padding {
  private Padding() {}

  /** Writes {@code text} with spaces before it, {@code width} columns at least. */
  static void append(StringBuilder out, String text, int width) {
    spaces(out, width - text.length());
    out.append(text);
  }

  /** Writes {@code count} spaces, none if that is negative. */
  static void spaces(StringBuilder out, int count) {
    for (int i = 0; i < count; i++) {
      out.append(' ');
    }
  }
}
