package dev.ply.cli.live.draw;

import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;

/** A line of the screen while it is drawn. Texts are escaped already. */
final class Line {
  private final AttributedStringBuilder line = new AttributedStringBuilder();
  private final Look look;

  Line(Look look) {
    this.look = look;
  }

  /** Appends a text as it is. */
  Line add(String text, AttributedStyle style) {
    line.styled(style, text);
    return this;
  }

  /** Appends a text, left-aligned: cut or padded on the right to a number of columns. */
  Line left(String text, int columns, AttributedStyle style) {
    AttributedString cut = cut(text, columns);
    line.styled(style, cut);
    return spaces(columns - cut.columnLength(), style);
  }

  /** Appends a text, left-aligned: padded on the right, or shortened in the middle. */
  Line middle(String text, int columns, AttributedStyle style) {
    AttributedString whole = new AttributedString(text);
    int length = whole.columnLength();
    String more = look.choose("..", "…");
    int kept = columns - more.length();
    if (length <= columns || kept < 2) {
      return left(text, columns, style);
    }
    int begin = kept / 3;
    return left(
        whole.columnSubSequence(0, begin)
            + more
            + whole.columnSubSequence(length - (kept - begin), length),
        columns,
        style);
  }

  /** Appends a text, right-aligned: cut on the right or padded on the left. */
  Line right(String text, int columns, AttributedStyle style) {
    AttributedString cut = cut(text, columns);
    spaces(columns - cut.columnLength(), style);
    line.styled(style, cut);
    return this;
  }

  Line spaces(int count, AttributedStyle style) {
    line.styled(style, " ".repeat(Math.max(0, count)));
    return this;
  }

  private AttributedString cut(String text, int columns) {
    AttributedString whole = new AttributedString(text);
    if (whole.columnLength() <= columns) {
      return whole;
    }
    String more = look.choose(columns > 1 ? ".." : ".", "…");
    return new AttributedString(
        whole.columnSubSequence(0, Math.max(0, columns - more.length())) + more);
  }

  int length() {
    return line.columnLength();
  }

  /** Returns the line in a number of columns, cut or filled up at its right. */
  AttributedString fit(int columns) {
    return fit(columns, AttributedStyle.DEFAULT);
  }

  /** Returns the line in a number of columns, filled up in a style. */
  AttributedString fit(int columns, AttributedStyle style) {
    int missing = columns - line.columnLength();
    if (missing >= 0) {
      return spaces(missing, style).line.toAttributedString();
    }
    AttributedString cut = line.toAttributedString().columnSubSequence(0, columns);
    AttributedStringBuilder filled = new AttributedStringBuilder().append(cut);
    while (filled.columnLength() < columns) {
      filled.append(' ');
    }
    return filled.toAttributedString();
  }

  /** Returns how many columns a text takes. */
  static int columns(String text) {
    return new AttributedString(text).columnLength();
  }
}
