package dev.ply.lang.bcc;

import dev.ply.diagnostic.Source;
import dev.ply.diagnostic.SourceSpan;
import java.util.ArrayList;
import java.util.List;

/**
 * A part of a source's text.
 *
 * @param start the offset of its first character
 * @param end the offset after its last one
 */
record Slice(Source source, int start, int end) {
  /** Returns the characters. */
  String text() {
    return source.text().substring(start, end);
  }

  int length() {
    return end - start;
  }

  /** Returns the part between two offsets in this one. */
  Slice part(int from, int to) {
    return new Slice(source, start + from, start + to);
  }

  /** Returns this without white space around it. */
  Slice strip() {
    String text = text();
    int first = text.length() - text.stripLeading().length();
    return part(first, Math.max(first, text.stripTrailing().length()));
  }

  /** Returns the parts between the occurrences of a character, empty ones included. */
  List<Slice> split(char separator) {
    List<Slice> parts = new ArrayList<>();
    String text = text();
    int from = 0;
    for (int i = text.indexOf(separator); i >= 0; i = text.indexOf(separator, from)) {
      parts.add(part(from, i));
      from = i + 1;
    }
    parts.add(part(from, text.length()));
    return parts;
  }

  /** Returns the position; an empty slice has that of the character after it. */
  SourceSpan span() {
    int to = Math.max(end, start + 1);
    return new SourceSpan(source.name(), line(start), column(start), line(to), column(to));
  }

  private int line(int offset) {
    return 1 + (int) source.text().chars().limit(offset).filter(c -> c == '\n').count();
  }

  private int column(int offset) {
    int begin = source.text().lastIndexOf('\n', offset - 1) + 1;
    int known = Math.min(offset, source.text().length());
    return 1 + source.text().codePointCount(begin, Math.max(begin, known)) + (offset - known);
  }
}
