package dev.ply.lang.token;

import dev.ply.lang.grammar.PlyLexer;
import java.util.HashSet;
import java.util.Set;
import org.antlr.v4.runtime.Token;

/** Distinguishes variables from other names that begin with {@code $}. */
public final class VariableNames {
  private VariableNames() {}

  /** Returns whether a name with {@code $} has letters, as variables do. */
  public static boolean isVariable(String name) {
    return name.length() > 1 && name.charAt(1) != '#' && !Character.isDigit(name.charAt(1));
  }

  /**
   * Returns the names, with {@code $}, of variables that a script assigns, declares or uses as loop
   * variables.
   */
  public static Set<String> assignedIn(TokenSequence tokens) {
    Set<String> assigned = new HashSet<>();
    boolean isParameter = false;
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      isParameter = tokens.isFunction(i) || (isParameter && token.getType() != PlyLexer.LBRACE);
      if (token.getType() == PlyLexer.VARIABLE && isVariable(token.getText())) {
        boolean isTarget =
            switch (tokens.typeAt(i + 1)) {
              case PlyLexer.ASSIGN,
                  PlyLexer.COMPOUND_ASSIGN,
                  PlyLexer.INCREMENT,
                  PlyLexer.DECREMENT ->
                  true;
              case PlyLexer.COLON ->
                  isParameter || isLoopVariable(tokens, i) || tokens.isDeclared(i);
              case PlyLexer.MINUS -> tokens.isDoubled(i + 1) && !tokens.mustBeginOperand(i + 3);
              default ->
                  tokens.typeAt(i - 1) == PlyLexer.INCREMENT
                      || tokens.typeAt(i - 1) == PlyLexer.DECREMENT
                      || tokens.isDeclared(i)
                      || isLoopVariable(tokens, i);
            };
        if (isTarget) {
          assigned.add(token.getText());
        }
      }
    }
    return assigned;
  }

  private static boolean isLoopVariable(TokenSequence tokens, int index) {
    int before = tokens.typeAt(index - 1) == PlyLexer.LPAREN ? index - 2 : index - 1;
    return before >= 0 && tokens.textAt(before).equals("for");
  }
}
