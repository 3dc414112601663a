package dev.ply.lang;

import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.Script;
import java.util.List;

/**
 * The result of parsing.
 *
 * @param script the script; if there are errors, with unparsed nodes in their positions, so that
 *     the rest can still be analysed
 * @param diagnostics all diagnostics, in source order
 */
public record ParseResult(Script script, List<Diagnostic> diagnostics) {
  /** Copies the diagnostics. */
  public ParseResult {
    diagnostics = List.copyOf(diagnostics);
  }

  /** {@return whether there are errors} */
  public boolean hasErrors() {
    return Diagnostics.hasErrors(diagnostics);
  }

  /**
   * {@return the script if there are no errors}
   *
   * @throws CompilationException with all diagnostics
   */
  public Script orThrow() {
    if (hasErrors()) {
      throw new CompilationException(diagnostics);
    }
    return script;
  }
}
