package dev.ply.lang.events;

import dev.ply.diagnostic.Source;
import dev.ply.diagnostic.SourceSpan;

/**
 * A filter of an event, as its {@code filter} file in tracefs takes it: comparisons of fields with
 * constants, {@code &&}, {@code ||}, {@code !} and parentheses.
 *
 * @param event the event, {@code EVENT} or {@code GROUP/EVENT}; empty for a condition of a
 *     definition
 * @param start the offset of the expression in the text
 * @param line the line that the text is in, from 1
 * @param column of the text's first character, from 1
 */
public record EventFilter(Source source, String event, int start, int line, int column) {
  /** Splits {@code EVENT:EXPRESSION}; the event is empty if there is no colon. */
  public static EventFilter of(Source source) {
    int colon = source.text().indexOf(':');
    return new EventFilter(
        source, colon < 0 ? "" : source.text().substring(0, colon).trim(), colon + 1, 1, 1);
  }

  /** Returns the expression. */
  public String expression() {
    return source.text().substring(start).trim();
  }

  public boolean isFor(EventDefinition definition) {
    return event.equals(definition.event())
        || event.equals(definition.group() + "/" + definition.event());
  }

  public SourceSpan eventSpan() {
    return span(0, Math.max(1, start - 1));
  }

  /** Returns the position of a part of the text, one column at least. */
  public SourceSpan span(int from, int to) {
    String text = source.text();
    int first = column + text.codePointCount(0, Math.min(from, text.length()));
    int end = column + text.codePointCount(0, Math.min(to, text.length()));
    return new SourceSpan(source.name(), line, first, line, Math.max(first + 1, end));
  }

  /** Returns whether all hits are meant, as by what switches a filter off in the kernel. */
  public boolean isOff() {
    return expression().isEmpty() || expression().equals("0");
  }
}
