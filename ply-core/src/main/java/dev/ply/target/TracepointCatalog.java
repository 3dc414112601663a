package dev.ply.target;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** The tracepoints of a kernel. */
public interface TracepointCatalog {
  /**
   * Returns the format of a tracepoint's record, if the tracepoint exists.
   *
   * @throws UnreadableTargetException if tracefs cannot be read
   */
  Optional<TracepointFormat> find(String category, String event);

  /**
   * Returns a tracepoint's id for perf_event_open(2), if the tracepoint exists.
   *
   * @throws UnreadableTargetException if tracefs cannot be read
   */
  default OptionalInt id(String category, String event) {
    return find(category, event).stream().mapToInt(TracepointFormat::id).findFirst();
  }

  /** Returns all names as {@code category:event}; empty where they cannot be listed. */
  Stream<String> names();
}
