package dev.ply.diagnostic;

import dev.ply.type.Escapes;
import java.util.List;
import java.util.stream.Collectors;

/** A script that cannot be run, with everything there is to say about it. */
public final class CompilationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<Diagnostic> diagnostics;

  /** Wraps {@code diagnostics}, at least one of them an error. */
  public CompilationException(List<Diagnostic> diagnostics) {
    super(
        diagnostics.stream()
            .map(diagnostic -> Escapes.escape(diagnostic.span() + ": " + diagnostic.message()))
            .collect(Collectors.joining("\n")));
    this.diagnostics = List.copyOf(diagnostics);
  }

  /** Returns everything found, in order. */
  public List<Diagnostic> diagnostics() {
    return diagnostics;
  }
}
