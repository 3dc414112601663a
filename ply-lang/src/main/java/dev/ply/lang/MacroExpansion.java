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

/**
 * Replaces the names of macros by the tokens that {@code #define} gave them, at the position of the
 * name. A macro's own name is not expanded inside of it, as in C.
 */
final class MacroExpansion {
  /** Tokens that all macros of a script may add: definitions that double each other stop here. */
  private static final int LIMIT = 100_000;

  private final Map<String, String> macros;
  private final Set<String> open = new HashSet<>();
  private int added;

  /** A token of a macro's body that stands where the macro is used. */
  static final class MacroToken extends CommonToken {
    private static final long serialVersionUID = 1;

    private final String use;

    MacroToken(Token body, Token use) {
      super(body);
      this.use = use instanceof MacroToken outer ? outer.use : use.getText();
      setText(body.getText());
      setLine(use.getLine());
      setCharPositionInLine(use.getCharPositionInLine());
      setStartIndex(use.getStartIndex());
      setStopIndex(use.getStopIndex());
    }

    /** Returns the name that the script has at this position. */
    String use() {
      return use;
    }
  }

  MacroExpansion(Map<String, String> macros) {
    this.macros = macros;
  }

  /** Returns the tokens that a token stands for: itself, unless it is the name of a macro. */
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
