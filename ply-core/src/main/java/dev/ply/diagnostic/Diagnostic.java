package dev.ply.diagnostic;

import java.util.List;

/**
 * A message for the author of a script.
 *
 * @param severity errors prevent the trace
 * @param code the kind of problem
 * @param span the position to underline
 * @param message one lower-case sentence without a full stop, which names the subject
 * @param hints what to do instead; can be empty
 */
public record Diagnostic(
    Severity severity, DiagnosticCode code, SourceSpan span, String message, List<String> hints) {
  /** Copies the hints. */
  public Diagnostic {
    hints = List.copyOf(hints);
  }
}
