package dev.ply.export;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The spans of a track that can be drawn on one line: each of two is before the other or within it.
 * Spans come in the order of their ends, about.
 */
final class Lane {
  /** As many spans are remembered; earlier ones are over. */
  private static final int MOST = 64;

  private record Span(long begin, long end) {}

  /** No span is within another; the latest is the last. */
  private final Deque<Span> outermost = new ArrayDeque<>();

  private long over = Long.MIN_VALUE;

  /** Adds a span, and returns true, unless it overlaps another in part. */
  boolean add(long begin, long end) {
    int within = 0;
    boolean fits = begin >= over;
    for (var spans = outermost.descendingIterator(); fits && spans.hasNext(); ) {
      Span span = spans.next();
      if (begin >= span.end()) {
        break;
      }
      // Two spans with the same begin could not be told apart.
      fits = begin < span.begin() && end >= span.end();
      within++;
    }
    if (!fits) {
      return false;
    }
    for (int i = 0; i < within; i++) {
      outermost.removeLast();
    }
    outermost.addLast(new Span(begin, end));
    if (outermost.size() > MOST) {
      over = outermost.removeFirst().end();
    }
    return true;
  }
}
