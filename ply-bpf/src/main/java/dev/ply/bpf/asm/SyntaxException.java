package dev.ply.bpf.asm;

import dev.ply.ir.SourceSpan;
import java.util.List;

/** Ends the reading of a line; the assembler turns it into a diagnostic and goes on. */
final class SyntaxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String problem;
  private final transient SourceSpan span;
  private final transient List<String> hints;

  SyntaxException(SourceSpan span, String message, String... hints) {
    super(message);
    this.problem = message;
    this.span = span;
    this.hints = List.of(hints);
  }

  String problem() {
    return problem;
  }

  SourceSpan span() {
    return span;
  }

  List<String> hints() {
    return hints;
  }
}
