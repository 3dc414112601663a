package dev.ply.cli.lsp;

import dev.ply.diagnostic.SourceSpan;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.Range;

/**
 * The lines of a text, for positions. Those of the protocol count lines that end with LF, CRLF or
 * CR alone, and UTF-16 units from 0; those of spans count lines that end with LF, and characters
 * from 1.
 */
final class TextLines {
  private final String text;

  /** Where the protocol's lines begin. */
  private final int[] lines;

  /** Where the lines of spans begin. */
  private final int[] sourceLines;

  TextLines(String text) {
    this.text = text;
    this.lines = starts(i -> text.charAt(i) == '\n' || isLoneReturn(i));
    this.sourceLines = starts(i -> text.charAt(i) == '\n');
  }

  private boolean isLoneReturn(int i) {
    return text.charAt(i) == '\r' && (i + 1 == text.length() || text.charAt(i + 1) != '\n');
  }

  private int[] starts(IntPredicate isEnd) {
    return IntStream.concat(
            IntStream.of(0), IntStream.range(0, text.length()).filter(isEnd).map(i -> i + 1))
        .toArray();
  }

  /** Returns the index of a position; beyond the end of a line or the text, that end. */
  int index(Position position) {
    if (position.getLine() >= lines.length) {
      return text.length();
    }
    int line = Math.max(0, position.getLine());
    int start = lines[line];
    int end = endOfLine(line);
    return Math.min(end, start + Math.max(0, position.getCharacter()));
  }

  private int endOfLine(int line) {
    int end = line + 1 < lines.length ? lines[line + 1] : text.length();
    while (end > lines[line] && (text.charAt(end - 1) == '\n' || text.charAt(end - 1) == '\r')) {
      end--;
    }
    return end;
  }

  /** Returns the position of an index. */
  Position position(int index) {
    int found = Arrays.binarySearch(lines, index);
    int line = found >= 0 ? found : -found - 2;
    return new Position(line, index - lines[line]);
  }

  /** Returns the range between two indices. */
  Range range(int start, int end) {
    return new Range(position(start), position(end));
  }

  /** Returns the range of a span; of one without a position, that of the first line. */
  Range range(SourceSpan span) {
    if (!span.isKnown()) {
      return range(0, endOfLine(0));
    }
    int start = index(span.line(), Math.max(1, span.column()));
    if (span.column() < 1) {
      return range(start, endOfLine(position(start).getLine()));
    }
    return range(start, Math.max(start, index(span.endLine(), span.endColumn())));
  }

  /** Returns the index of a line and a column of spans. */
  int index(int line, int column) {
    if (line > sourceLines.length) {
      return text.length();
    }
    int start = sourceLines[Math.max(1, line) - 1];
    int end = line < sourceLines.length ? sourceLines[line] - 1 : text.length();
    int characters = text.codePointCount(start, Math.max(start, end));
    return text.offsetByCodePoints(start, Math.min(Math.max(0, column - 1), characters));
  }

  /** Returns the line and column of an index, as a span of one character. */
  SourceSpan span(String source, int index) {
    int found = Arrays.binarySearch(sourceLines, index);
    int line = found >= 0 ? found : -found - 2;
    int column = text.codePointCount(sourceLines[line], index) + 1;
    return new SourceSpan(source, line + 1, column, line + 1, column + 1);
  }
}
