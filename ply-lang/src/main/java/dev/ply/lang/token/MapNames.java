package dev.ply.lang.token;

import dev.ply.lang.grammar.PlyLexer;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.antlr.v4.runtime.Token;

/**
 * Finds the names that a script uses as maps, so that the name alone can denote the whole map. A
 * name before {@code [} is a map, even if it is also a built-in; alone it is then the built-in.
 */
public final class MapNames {
  private MapNames() {}

  /** Returns the names of maps without {@code @}. */
  public static Set<String> in(List<Token> tokens) {
    Set<String> names = new HashSet<>();
    for (int i = 0; i + 1 < tokens.size(); i++) {
      Token token = tokens.get(i);
      // An assignment without a key is an error, reported once, at the assignment.
      boolean isAssigned =
          token.getType() == PlyLexer.NAME && tokens.get(i + 1).getType() == PlyLexer.ASSIGN;
      if ((isAssigned || token.getType() == PlyLexer.MAP) && !BuiltIns.isKnown(of(token))) {
        names.add(of(token));
      }
    }
    return Set.copyOf(names);
  }

  /** Returns the name of the map denoted by a token before {@code [}. */
  public static String of(Token token) {
    String text = token.getText();
    return text.startsWith("$") ? text.substring(1) : text;
  }

  /** Returns the maps and variables that these tokens can denote. */
  public static List<String> mentioned(Collection<Token> tokens, Set<String> known) {
    return tokens.stream()
        .filter(
            token ->
                (token.getType() == PlyLexer.VARIABLE && VariableNames.isVariable(token.getText()))
                    || token.getType() == PlyLexer.MAP
                    || token.getType() == PlyLexer.AGGREGATION
                    || known.contains(token.getText()))
        .map(token -> token.getType() == PlyLexer.VARIABLE ? token.getText() : of(token))
        .distinct()
        .toList();
  }
}
