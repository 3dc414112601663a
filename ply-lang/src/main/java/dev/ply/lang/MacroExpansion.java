package dev.ply.lang;

import dev.ply.lang.grammar.PlyLexer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonToken;
import org.antlr.v4.runtime.Lexer;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.Pair;

/**
 * Replaces macro names by the tokens of their {@code #define}, at the position of the name. A macro
 * is not expanded inside itself, as in C.
 */
final class MacroExpansion {
  /**
   * The maximum number of tokens from macros in a script: stops definitions that double each other.
   */
  private static final int LIMIT = 100_000;

  private final Map<String, String> macros;
  private final Set<String> open = new HashSet<>();
  private int added;

  /** A token of a macro's body, at the position of the macro's use. */
  static final class MacroToken extends CommonToken {
    private static final long serialVersionUID = 1;

    private final String use;

    MacroToken(Token body, Token use) {
      super(body);
      this.use = use instanceof MacroToken outer ? outer.use : use.getText();
      setText(body.getText());
      source = new Pair<>(use.getTokenSource(), use.getInputStream());
      setLine(use.getLine());
      setCharPositionInLine(use.getCharPositionInLine());
      setStartIndex(use.getStartIndex());
      setStopIndex(use.getStopIndex());
    }

    /** Returns the macro name at this position. */
    String use() {
      return use;
    }
  }

  MacroExpansion(Map<String, String> macros) {
    this.macros = macros;
  }

  /** Returns the expansion of a token: itself, unless it is the name of a macro. */
  List<Token> of(Token token) {
    String body = token.getType() == PlyLexer.NAME ? macros.get(token.getText()) : null;
    if (body == null || added > LIMIT || !open.add(token.getText())) {
      return List.of(token);
    }
    PlyLexer lexer = new PlyLexer(CharStreams.fromString(body));
    lexer.removeErrorListeners();
    lexer.mode(Lexer.DEFAULT_MODE);
    List<Token> tokens = new ArrayList<>();
    for (Token word : lexer.getAllTokens()) {
      added++;
      tokens.addAll(of(new MacroToken(word, token)));
    }
    open.remove(token.getText());
    return tokens;
  }
}
