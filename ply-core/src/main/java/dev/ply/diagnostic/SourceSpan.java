package dev.ply.diagnostic;

/**
 * A range of source text, from a start (inclusive) to an end (exclusive); lines and columns count
 * from 1.
 *
 * @param source the source's name: a file, {@code <input>}, or a Java file of the fluent API
 * @param line of the first character
 * @param column of the first character
 * @param endLine of the end
 * @param endColumn of the character after the last
 */
public record SourceSpan(String source, int line, int column, int endLine, int endColumn) {
  /** The span of nodes without a source. */
  public static final SourceSpan NONE = new SourceSpan("", 0, 0, 0, 0);

  /** {@return whether this is a position in a source} */
  public boolean isKnown() {
    return line > 0;
  }

  /**
   * {@return the span from the start of this one to the end of {@code last}}
   *
   * @param last a span of the same source, not before this one
   */
  public SourceSpan through(SourceSpan last) {
    return new SourceSpan(source, line, column, last.endLine, last.endColumn);
  }

  /**
   * {@return whether {@code other} lies within this span}
   *
   * @param other of the same source
   */
  public boolean contains(SourceSpan other) {
    boolean startsBefore = line < other.line || (line == other.line && column <= other.column);
    boolean endsAfter =
        endLine > other.endLine || (endLine == other.endLine && endColumn >= other.endColumn);
    return source.equals(other.source) && startsBefore && endsAfter;
  }

  /** Returns {@code file:line:column}, or {@code file:line} where the column is unknown. */
  @Override
  public String toString() {
    return column > 0 ? source + ":" + line + ":" + column : source + ":" + line;
  }
}
