package dev.ply.build;

import java.util.List;

/** Scripts in the parts that editors colour. Not thread-safe. */
public final class ScriptColours {
  private final TextMateTokens tokens = new TextMateTokens(ScriptGrammar.of("source.ply"));

  /** Creates the colours of the grammar. */
  public ScriptColours() {}

  /**
   * A part of a script, within a line.
   *
   * @param start index of its first character
   * @param end index after the last
   * @param scopes the outermost first
   */
  public record Part(int start, int end, List<String> scopes) {
    /** Keeps a copy of the scopes. */
    public Part {
      scopes = List.copyOf(scopes);
    }

    /** {@return whether a scope begins like that} */
    public boolean is(String scope) {
      return scopes.stream().anyMatch(one -> one.startsWith(scope));
    }
  }

  /** {@return the parts of a script, in order, without newlines} */
  public List<Part> of(String script) {
    return tokens.of(script).stream()
        .map(token -> new Part(token.start(), token.end(), token.scopes()))
        .toList();
  }
}
