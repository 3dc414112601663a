package dev.ply.lang;

import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.Script;
import java.util.List;

/**
 * What became of a text.
 *
 * @param script the script as far as it was understood: if there are errors, something unknown
 *     stands in their places, so that the rest can still be analysed
 * @param diagnostics everything there is to say, in the order of the text
 */
public record ParseResult(Script script, List<Diagnostic> diagnostics) {
  public ParseResult {
    diagnostics = List.copyOf(diagnostics);
  }

  /** Tells whether the text is no script. */
  public boolean hasErrors() {
    return Diagnostics.hasErrors(diagnostics);
  }

  /**
   * Returns the script if there is no error.
   *
   * @throws CompilationException with everything there is to say
   */
  public Script orThrow() {
    if (hasErrors()) {
      throw new CompilationException(diagnostics);
    }
    return script;
  }
}
