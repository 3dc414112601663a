package dev.ply.lang;

import dev.ply.Safety;
import dev.ply.analysis.Analyzer;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Source;
import dev.ply.ir.Script;
import dev.ply.lang.argument.ScriptArguments;
import dev.ply.target.Target;

/** Parses scripts. */
public final class PlyScript {
  private PlyScript() {}

  /**
   * Parses a script.
   *
   * @param text the script
   * @return the script, not yet checked against a kernel
   * @throws CompilationException with all syntax errors; with a machine, {@link #parse(Source,
   *     ScriptArguments, Target)}, there are those of analysis, too
   */
  public static Script parse(String text) {
    return parse(text, ScriptArguments.NONE);
  }

  /**
   * Parses a script.
   *
   * @param text the script
   * @param arguments environment variables such as {@code $HOME}, parameters, and others
   * @return the script, not yet checked against a kernel
   * @throws CompilationException with all syntax errors; with a machine, {@link #parse(Source,
   *     ScriptArguments, Target)}, there are those of analysis, too
   */
  public static Script parse(String text, ScriptArguments arguments) {
    return parse(new Source("<input>", text), arguments);
  }

  /**
   * Parses a named script.
   *
   * @param source text and name of the script
   * @return the script, not yet checked against a kernel
   * @throws CompilationException with all syntax errors; with a machine, {@link #parse(Source,
   *     ScriptArguments, Target)}, there are those of analysis, too
   */
  public static Script parse(Source source) {
    return parse(source, ScriptArguments.NONE);
  }

  /**
   * Parses a named script.
   *
   * @param source text and name of the script
   * @param arguments environment variables such as {@code $HOME}, parameters, and others
   * @return the script, not yet checked against a kernel
   * @throws CompilationException with all syntax errors; with a machine, {@link #parse(Source,
   *     ScriptArguments, Target)}, there are those of analysis, too
   */
  public static Script parse(Source source, ScriptArguments arguments) {
    return ScriptParser.parse(source, arguments).orThrow();
  }

  /**
   * Parses and analyses a named script for a machine, and reports all syntax and type errors
   * together. The other overloads report syntax errors only; the tracer reports type errors when it
   * prepares the script.
   *
   * @param source text and name of the script
   * @param arguments environment variables such as {@code $HOME}, parameters, and others
   * @param target the machine, whose functions, tracepoints and types the script means: {@code
   *     RunningKernel} of dev.ply.kernel, or {@code SimulatedTarget}
   * @return the script; if it has no errors of syntax, not yet checked against the machine
   * @throws CompilationException if it has errors of syntax: with those, and all errors of analysis
   */
  public static Script parse(Source source, ScriptArguments arguments, Target target) {
    ParseResult result = ScriptParser.parse(source, arguments);
    if (result.hasErrors()) {
      // What is unsafe is up to the tracer.
      new Analyzer(target, Safety.UNSAFE).analyze(result.script(), result.diagnostics());
    }
    return result.orThrow();
  }
}
