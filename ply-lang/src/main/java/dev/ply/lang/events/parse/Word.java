package dev.ply.lang.events.parse;

import dev.ply.diagnostic.SourceSpan;
import java.util.ArrayList;
import java.util.List;

/**
 * A word of a definition; the kernel splits definitions at white space, without any quoting.
 *
 * @param column of its first character, from 1
 */
record Word(String text, String source, int line, int column) {
  /** Returns the words of a line, up to a comment. */
  static List<Word> split(String source, int line, String text) {
    int comment = text.indexOf('#');
    int end = comment < 0 ? text.length() : comment;
    List<Word> words = new ArrayList<>();
    int at = 0;
    while (at < end) {
      int start = at;
      while (at < end && !Character.isWhitespace(text.charAt(at))) {
        at++;
      }
      if (at > start) {
        int column = text.codePointCount(0, start) + 1;
        words.add(new Word(text.substring(start, at), source, line, column));
      }
      at++;
    }
    return words;
  }

  /** Returns the position of the whole word. */
  SourceSpan span() {
    return from(0);
  }

  /** Returns the position from an offset to the end, one column at least. */
  SourceSpan from(int offset) {
    return span(offset, text.length());
  }

  /** Returns the position of a word that would follow. */
  SourceSpan after() {
    int from = column + text.codePointCount(0, text.length()) + 1;
    return new SourceSpan(source, line, from, line, from + 1);
  }

  /** Returns the position from an offset up to another, one column at least. */
  SourceSpan span(int start, int end) {
    int from = column + text.codePointCount(0, Math.min(start, text.length()));
    int to = column + text.codePointCount(0, Math.min(end, text.length()));
    return new SourceSpan(source, line, from, line, Math.max(from + 1, to));
  }
}
