package dev.ply.lang;

import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Source;
import dev.ply.ir.Script;
import java.util.Map;

/** Scripts as text. */
public final class PlyScript {
  private PlyScript() {}

  /**
   * Returns the script that a text says.
   *
   * @throws CompilationException with every fault of the text
   */
  public static Script parse(String text) {
    return parse(text, Map.of());
  }

  /**
   * Returns the script that a text says.
   *
   * @param environment the values of variables such as {@code $HOME}, by names without {@code $}
   * @throws CompilationException with every fault of the text
   */
  public static Script parse(String text, Map<String, String> environment) {
    return parse(new Source("<input>", text), environment);
  }

  /**
   * Returns the script that a named text says.
   *
   * @throws CompilationException with every fault of the text
   */
  public static Script parse(Source source) {
    return parse(source, Map.of());
  }

  /**
   * Returns the script that a named text says.
   *
   * @param environment the values of variables such as {@code $HOME}, by names without {@code $}
   * @throws CompilationException with every fault of the text
   */
  public static Script parse(Source source, Map<String, String> environment) {
    return ScriptParser.parse(source, environment).orThrow();
  }
}
