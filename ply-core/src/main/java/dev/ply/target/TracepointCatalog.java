package dev.ply.target;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** The tracepoints of a kernel. */
public interface TracepointCatalog {
  /**
   * {@return the format of a tracepoint's record, if the tracepoint exists}
   *
   * @param category the directory of tracefs
   * @param event in the category
   * @throws UnreadableTargetException if tracefs cannot be read
   */
  Optional<TracepointFormat> find(String category, String event);

  /**
   * {@return the declarations of the record's own fields in the file's order, {@code char
   * prev_comm[16]}; none if the tracepoint does not exist}
   *
   * @param category the directory of tracefs
   * @param event in the category
   * @throws UnreadableTargetException if tracefs cannot be read
   */
  default List<String> declarations(String category, String event) {
    return find(category, event).stream()
        .flatMap(format -> format.fields().stream())
        .filter(field -> !field.name().startsWith("common_"))
        .map(field -> field.type().name() + " " + field.name())
        .toList();
  }

  /**
   * {@return a tracepoint's id for perf_event_open(2), if the tracepoint exists}
   *
   * @param category the directory of tracefs
   * @param event in the category
   * @throws UnreadableTargetException if tracefs cannot be read
   */
  default OptionalInt id(String category, String event) {
    return find(category, event).stream().mapToInt(TracepointFormat::id).findFirst();
  }

  /** {@return all names as {@code category:event}; empty where they cannot be listed} */
  Stream<String> names();
}
