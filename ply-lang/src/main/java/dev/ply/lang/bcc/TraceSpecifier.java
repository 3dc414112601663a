package dev.ply.lang.bcc;

import java.util.List;
import java.util.Optional;

/**
 * A specifier of trace: {@code p:c:write(int fd) (fd > 2) "to %d", fd}.
 *
 * @param whole its text
 * @param filter hits for which it is false are left out
 * @param format of the message, with its quotes; empty for none
 * @param values that the format shows
 */
record TraceSpecifier(
    Slice whole,
    ProbedFunction probe,
    Optional<Slice> filter,
    Optional<Slice> format,
    List<Slice> values) {
  TraceSpecifier {
    values = List.copyOf(values);
  }
}
