package dev.ply.bpf.asm;

import dev.ply.diagnostic.SourceSpan;
import java.util.List;

/** A syntax error in one line, which the assembler reports before it continues with the next. */
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
