package dev.ply.lang;

import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Source;
import dev.ply.ir.Script;
import java.util.Map;

/** Parses scripts. */
public final class PlyScript {
  private PlyScript() {}

  /**
   * Parses a script.
   *
   * @throws CompilationException with all syntax errors
   */
  public static Script parse(String text) {
    return parse(text, Map.of());
  }

  /**
   * Parses a script.
   *
   * @param environment values of environment variables such as {@code $HOME}, by names without
   *     {@code $}
   * @throws CompilationException with all syntax errors
   */
  public static Script parse(String text, Map<String, String> environment) {
    return parse(new Source("<input>", text), environment);
  }

  /**
   * Parses a named script.
   *
   * @throws CompilationException with all syntax errors
   */
  public static Script parse(Source source) {
    return parse(source, Map.of());
  }

  /**
   * Parses a named script.
   *
   * @param environment values of environment variables such as {@code $HOME}, by names without
   *     {@code $}
   * @throws CompilationException with all syntax errors
   */
  public static Script parse(Source source, Map<String, String> environment) {
    return ScriptParser.parse(source, environment).orThrow();
  }
}
