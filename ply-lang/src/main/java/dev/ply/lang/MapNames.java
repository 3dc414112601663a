package dev.ply.lang;

import dev.ply.lang.grammar.PlyLexer;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.antlr.v4.runtime.Token;

/**
 * Finds the names that a script uses as maps, so that such a name alone can mean the map as a
 * whole. A name before a {@code [} is a map's, even if there is a built-in of that name; the name
 * alone is the built-in then.
 */
final class MapNames {
  private MapNames() {}

  /** Returns the names of maps without {@code @}. */
  static Set<String> in(List<Token> tokens) {
    Set<String> names = new HashSet<>();
    for (int i = 0; i + 1 < tokens.size(); i++) {
      Token token = tokens.get(i);
      // Without a key, an assignment is a fault; it is told once, and not where the name is read.
      boolean isAssigned =
          token.getType() == PlyLexer.NAME && tokens.get(i + 1).getType() == PlyLexer.ASSIGN;
      if ((isAssigned || token.getType() == PlyLexer.MAP) && !BuiltIns.isKnown(of(token))) {
        names.add(of(token));
      }
    }
    return Set.copyOf(names);
  }

  /** Returns the name of the map that a word before a {@code [} names. */
  static String of(Token token) {
    String text = token.getText();
    return text.startsWith("$") ? text.substring(1) : text;
  }

  /** Returns the maps and variables that some of these tokens may name. */
  static List<String> mentioned(Collection<Token> tokens, Set<String> known) {
    return tokens.stream()
        .filter(
            token ->
                (token.getType() == PlyLexer.VARIABLE
                        && ContextualTokens.isVariableName(token.getText()))
                    || token.getType() == PlyLexer.MAP
                    || token.getType() == PlyLexer.AGGREGATION
                    || known.contains(token.getText()))
        .map(token -> token.getType() == PlyLexer.VARIABLE ? token.getText() : of(token))
        .distinct()
        .toList();
  }
}
