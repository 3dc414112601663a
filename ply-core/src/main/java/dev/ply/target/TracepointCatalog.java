package dev.ply.target;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** The tracepoints of a kernel. */
public interface TracepointCatalog {
  /**
   * Returns the layout of a tracepoint's record, empty if there is no such tracepoint.
   *
   * @throws UnreadableTargetException if the kernel does not let us see
   */
  Optional<TracepointFormat> find(String category, String event);

  /**
   * Returns the number by which perf_event_open(2) knows a tracepoint, empty if there is no such
   * tracepoint.
   *
   * @throws UnreadableTargetException if the kernel does not let us see
   */
  default OptionalInt id(String category, String event) {
    return find(category, event).stream().mapToInt(TracepointFormat::id).findFirst();
  }

  /** Returns all names as {@code category:event}; empty where they cannot be listed. */
  Stream<String> names();
}
