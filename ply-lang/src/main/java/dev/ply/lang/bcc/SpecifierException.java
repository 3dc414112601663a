package dev.ply.lang.bcc;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import java.util.List;

/** An error in a specifier. */
final class SpecifierException extends Exception {
  private static final long serialVersionUID = 1L;

  private final DiagnosticCode code;
  private final transient SourceSpan span;
  private final transient List<String> hints;

  SpecifierException(DiagnosticCode code, SourceSpan span, String message, String... hints) {
    super(message);
    this.code = code;
    this.span = span;
    this.hints = List.of(hints);
  }

  /** Creates a syntax error. */
  SpecifierException(SourceSpan span, String message, String... hints) {
    this(DiagnosticCode.SYNTAX, span, message, hints);
  }

  /** Reports the error. */
  void report(Diagnostics diagnostics) {
    diagnostics.error(code, span, String.valueOf(getMessage()), hints.toArray(String[]::new));
  }
}
