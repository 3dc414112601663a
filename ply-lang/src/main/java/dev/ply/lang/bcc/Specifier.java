package dev.ply.lang.bcc;

import java.util.List;
import java.util.Optional;

/**
 * A specifier: {@code p:c:write(int fd, char *buf):int,char*:fd,buf:fd > 2#writes}.
 *
 * @param whole its text
 * @param columns what is collected; empty for the default
 * @param label what the results are called
 */
record Specifier(
    Collect collect,
    Slice whole,
    ProbedFunction probe,
    List<Column> columns,
    Optional<Slice> filter,
    Optional<String> label) {
  Specifier {
    columns = List.copyOf(columns);
  }

  /** An expression and the type of its values. */
  record Column(CType type, Slice expression) {}

  /** Returns the text as people read it, on one line. */
  String heading() {
    return label.orElseGet(() -> oneLine(whole));
  }

  /** Returns a text without line breaks and the indentation after them. */
  static String oneLine(Slice text) {
    return text.text().replaceAll("\\s*\n\\s*", "");
  }
}
