package dev.ply.diagnostic;

import dev.ply.ir.SourceSpan;
import java.util.List;

/**
 * Something to tell the author of a script.
 *
 * @param message one sentence without a full stop, lower case, that names the thing
 * @param hints what to do instead, may be empty
 */
public record Diagnostic(
    Severity severity, DiagnosticCode code, SourceSpan span, String message, List<String> hints) {
  public Diagnostic {
    hints = List.copyOf(hints);
  }
}
