package dev.ply.diagnostic;

import dev.ply.type.Escapes;
import java.util.List;
import java.util.stream.Collectors;

/** Thrown for a script that cannot run, with all diagnostics. */
public final class CompilationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<Diagnostic> diagnostics;

  /**
   * Wraps {@code diagnostics}, at least one of which is an error.
   *
   * @param diagnostics in source order
   */
  public CompilationException(List<Diagnostic> diagnostics) {
    super(diagnostics.stream().map(CompilationException::text).collect(Collectors.joining("\n")));
    this.diagnostics = List.copyOf(diagnostics);
  }

  private static String text(Diagnostic diagnostic) {
    String message = Escapes.escape(diagnostic.span() + ": " + diagnostic.message());
    return diagnostic.hints().stream()
        .map(hint -> "\n  = " + Escapes.escape(hint))
        .collect(Collectors.joining("", message, ""));
  }

  /** {@return all diagnostics, in order} */
  public List<Diagnostic> diagnostics() {
    return diagnostics;
  }
}
