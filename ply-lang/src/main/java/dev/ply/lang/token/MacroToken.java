package dev.ply.lang.token;

import org.antlr.v4.runtime.CommonToken;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.Pair;

/** A token of a macro's body, at the position of the macro's use. */
final class MacroToken extends CommonToken {
  private static final long serialVersionUID = 1;

  private final String use;

  MacroToken(Token body, Token use) {
    super(body);
    this.use = use.getText();
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
