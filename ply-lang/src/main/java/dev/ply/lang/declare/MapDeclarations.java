package dev.ply.lang.declare;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.diagnostic.Suggestions;
import dev.ply.ir.declaration.MapDeclaration;
import dev.ply.lang.grammar.PlyLexer;
import dev.ply.lang.token.LiteralDecoder;
import dev.ply.lang.token.Positions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.antlr.v4.runtime.Token;

/**
 * Parses the declarations of maps between probes, {@code let @name = hash(100);}, and removes them
 * from a script's tokens.
 */
public final class MapDeclarations {
  /** The tokens of a declaration. */
  private static final List<Integer> FORM =
      List.of(
          PlyLexer.NAME,
          PlyLexer.AGGREGATION,
          PlyLexer.ASSIGN,
          PlyLexer.NAME,
          PlyLexer.LPAREN,
          PlyLexer.NUMBER,
          PlyLexer.RPAREN,
          PlyLexer.SEMICOLON);

  /** Which of them the number of keys is. */
  private static final int SIZE = 5;

  private final Positions positions;
  private final Diagnostics diagnostics;
  private final List<MapDeclaration> declarations = new ArrayList<>();

  public MapDeclarations(Positions positions, Diagnostics diagnostics) {
    this.positions = positions;
    this.diagnostics = diagnostics;
  }

  /** Returns the declarations in source order. */
  public List<MapDeclaration> declarations() {
    return declarations;
  }

  /** Returns a script's tokens without its declarations of maps. */
  public List<Token> removeFrom(List<Token> all) {
    List<Token> rest = new ArrayList<>(all.size());
    int depth = 0;
    int next = 0;
    while (next < all.size()) {
      if (depth == 0 && isStart(all, next)) {
        next += declare(all.subList(next, all.size()));
        continue;
      }
      int type = all.get(next).getType();
      if (type == PlyLexer.LBRACE || type == PlyLexer.PREDICATE_END) {
        depth++;
      } else if (type == PlyLexer.RBRACE) {
        depth = Math.max(0, depth - 1);
      }
      rest.add(all.get(next++));
    }
    return rest;
  }

  private static boolean isStart(List<Token> all, int index) {
    return all.get(index).getText().equals("let")
        && index + 1 < all.size()
        && all.get(index + 1).getType() == PlyLexer.AGGREGATION;
  }

  /** Returns the number of tokens of a declaration. */
  private int declare(List<Token> tokens) {
    int fitting = 0;
    while (fitting < Math.min(FORM.size(), tokens.size())
        && tokens.get(fitting).getType() == FORM.get(fitting)) {
      fitting++;
    }
    if (fitting < FORM.size() - 1) {
      Token found = tokens.get(Math.min(fitting, tokens.size() - 1));
      diagnostics.error(
          DiagnosticCode.SYNTAX,
          positions.of(found),
          fitting == SIZE && found.getType() == PlyLexer.RPAREN
              ? "the number of keys is missing"
              : "unexpected \"" + found.getText() + "\" in the declaration of a map",
          "maps are declared with a kind and a number of keys: let @m = hash(100);");
      return rest(tokens, fitting);
    }
    Token kind = tokens.get(3);
    Token size = tokens.get(SIZE);
    Optional<MapDeclaration.Kind> known = MapDeclaration.Kind.named(kind.getText());
    if (known.isEmpty()) {
      diagnostics.error(
          DiagnosticCode.UNKNOWN_NAME,
          positions.of(kind),
          "unknown kind of map \"" + kind.getText() + "\"",
          Suggestions.hint(
              kind.getText(),
              MapDeclaration.Kind.names().stream(),
              "kinds are " + String.join(", ", MapDeclaration.Kind.names())));
    }
    Optional<Long> entries = LiteralDecoder.number(size.getText());
    boolean isSize = entries.isPresent() && entries.get() > 0 && entries.get() <= Integer.MAX_VALUE;
    if (!isSize) {
      diagnostics.error(
          DiagnosticCode.OUT_OF_RANGE,
          positions.of(size),
          "a map has 1 to " + Integer.MAX_VALUE + " keys");
    }
    if (known.isPresent() && isSize) {
      SourceSpan span = positions.of(tokens.get(0)).through(positions.of(tokens.get(6)));
      declarations.add(
          new MapDeclaration(tokens.get(1).getText(), known.get(), entries.get().intValue(), span));
    }
    return fitting;
  }

  /** Returns the number of tokens to skip: through the semicolon on the way, if there is one. */
  private static int rest(List<Token> tokens, int fitting) {
    for (int i = fitting; i < tokens.size() && i <= FORM.size(); i++) {
      int type = tokens.get(i).getType();
      if (type == PlyLexer.SEMICOLON) {
        return i + 1;
      }
      if (type == PlyLexer.LBRACE) {
        break;
      }
    }
    return fitting + 1;
  }
}
