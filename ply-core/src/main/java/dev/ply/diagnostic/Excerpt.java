package dev.ply.diagnostic;

import dev.ply.type.Escapes;
import java.util.Arrays;
import java.util.List;

/**
 * The part of a line around a span, with a caret and tildes below.
 *
 * @param text the line, or the part of a long one that contains the span's start; escaped, except
 *     for tabs
 * @param mark white space up to the span and {@code ^~~~} below it
 */
record Excerpt(String text, String mark) {
  private static final int COLUMNS = 160;

  /** How many characters are shown before a span in a long line. */
  private static final int BEFORE = 60;

  private static final String CUT = "…";

  /** Returns the excerpt of a line around a span. */
  static Excerpt of(String line, SourceSpan span) {
    String[] characters =
        line.codePoints().mapToObj(Character::toString).map(Excerpt::shown).toArray(String[]::new);
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

  private static String shown(String character) {
    return character.equals("\t") ? character : Escapes.escape(character);
  }

  private static String text(String[] characters, int from, int to) {
    return String.join("", List.of(characters).subList(from, to));
  }

  private static String mark(String[] characters, int first, int start, int end) {
    StringBuilder out = new StringBuilder();
    for (int i = first; i < start; i++) {
      // Tabs are kept in the second line, so that both align for any tab stops.
      out.append(characters[i].equals("\t") ? "\t" : " ".repeat(columns(characters[i])));
    }
    int marked =
        Arrays.stream(characters, start, Math.max(start, end)).mapToInt(Excerpt::columns).sum();
    return out.append('^').append("~".repeat(Math.max(0, marked - 1))).toString();
  }

  private static int columns(String shown) {
    return shown.codePointCount(0, shown.length());
  }
}
