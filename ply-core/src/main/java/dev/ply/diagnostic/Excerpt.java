package dev.ply.diagnostic;

import dev.ply.ir.SourceSpan;

/**
 * As much of a line as is worth showing around a place, and a mark below the place.
 *
 * @param text the line, or the part of a long one that holds the place's start; what would move a
 *     terminal's cursor is replaced
 * @param mark white space up to the place and {@code ^~~~} below it
 */
record Excerpt(String text, String mark) {
  private static final int COLUMNS = 160;

  /** What is shown before a place in a long line. */
  private static final int BEFORE = 60;

  private static final String CUT = "…";
  private static final int REPLACEMENT = 0xfffd;

  /** Returns the excerpt of a line with a place in it. */
  static Excerpt of(String line, SourceSpan span) {
    int[] characters = line.codePoints().map(Excerpt::visible).toArray();
    int start = Math.min(span.column() - 1, characters.length);
    int end =
        span.endLine() > span.line()
            ? characters.length
            : Math.min(span.endColumn() - 1, characters.length);
    if (characters.length <= COLUMNS) {
      return new Excerpt(text(characters, 0, characters.length), mark(characters, 0, start, end));
    }
    int first = Math.max(0, start - BEFORE);
    int last = Math.min(characters.length, first + COLUMNS);
    String before = first > 0 ? CUT : "";
    return new Excerpt(
        before + text(characters, first, last) + (last < characters.length ? CUT : ""),
        " ".repeat(before.length()) + mark(characters, first, start, Math.min(end, last)));
  }

  private static int visible(int character) {
    return Character.isISOControl(character) && character != '\t' ? REPLACEMENT : character;
  }

  private static String text(int[] characters, int from, int to) {
    return new String(characters, from, to - from);
  }

  private static String mark(int[] characters, int first, int start, int end) {
    StringBuilder out = new StringBuilder();
    for (int i = first; i < start; i++) {
      // A tab below a tab is as wide as the one above, whatever the terminal's tab stops.
      out.append(characters[i] == '\t' ? '\t' : ' ');
    }
    return out.append('^').append("~".repeat(Math.max(0, end - start - 1))).toString();
  }
}
