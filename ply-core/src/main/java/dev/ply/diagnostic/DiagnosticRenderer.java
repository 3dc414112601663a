package dev.ply.diagnostic;

import dev.ply.type.Escapes;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Writes diagnostics for people: what is wrong, where, the marked line, and what to do instead.
 * What they quote is escaped.
 *
 * <pre>
 * error[unknown-field]: tracepoint syscalls:sys_enter_openat has no field "file"
 *   reads.ply:2:22
 *   | { print(str(data-&gt;file)); }
 *   |                   ^~~~  did you mean "filename"?
 * </pre>
 */
public final class DiagnosticRenderer {
  private DiagnosticRenderer() {}

  /**
   * {@return all of {@code diagnostics}, separated by empty lines}
   *
   * @param diagnostics in the order to show them
   * @param source the script they are about
   */
  public static String render(List<Diagnostic> diagnostics, Source source) {
    return diagnostics.stream()
        .map(diagnostic -> render(diagnostic, source))
        .collect(Collectors.joining("\n"));
  }

  /**
   * {@return the lines of {@code diagnostic}, each with its newline} Without a column, or if {@code
   * source} lacks the line, only the position is shown.
   *
   * @param diagnostic of any severity
   * @param source the script it is about
   */
  public static String render(Diagnostic diagnostic, Source source) {
    StringBuilder out = new StringBuilder();
    out.append(diagnostic.severity().label())
        .append('[')
        .append(diagnostic.code())
        .append("]: ")
        .append(Escapes.escape(diagnostic.message()))
        .append('\n');
    SourceSpan span = diagnostic.span();
    if (span.isKnown()) {
      out.append("  ").append(Escapes.escape(span.toString())).append('\n');
    }
    Optional<String> line =
        span.isKnown() && span.column() > 0
            ? source.named(span.source()).orElse(source).line(span.line())
            : Optional.empty();
    List<String> hints = diagnostic.hints().stream().map(Escapes::escape).toList();
    if (line.isPresent()) {
      Excerpt excerpt = Excerpt.of(line.get(), span);
      out.append("  | ").append(excerpt.text()).append('\n');
      out.append("  | ").append(excerpt.mark());
      if (!hints.isEmpty()) {
        out.append("  ").append(hints.get(0));
        hints = hints.subList(1, hints.size());
      }
      out.append('\n');
    }
    for (String hint : hints) {
      out.append("  = ").append(hint).append('\n');
    }
    return out.toString();
  }
}
