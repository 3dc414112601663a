package dev.ply.lang.token;

import dev.ply.lang.grammar.PlyLexer;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Finds the types and casts of a script among its tokens. */
final class TypeTokens {
  private static final int NONE = TokenSequence.NONE;

  private final TokenSequence tokens;
  private final Set<String> typedefs;

  TypeTokens(TokenSequence tokens, Set<String> typedefs) {
    this.tokens = tokens;
    this.typedefs = typedefs;
  }

  /** Returns whether a parenthesis opens a cast: it encloses a type, and an operand follows. */
  boolean isCastAt(int index) {
    return (isIn(index) && tokens.beginsOperand(end(index + 1) + 1)) || isCastToName(index);
  }

  /** Returns whether the parenthesis at an index encloses a type. */
  boolean isIn(int index) {
    return tokens.typeAt(end(index + 1)) == PlyLexer.RPAREN;
  }

  /** A name in parentheses right before another operand can only be a type. */
  boolean isCastToName(int index) {
    return tokens.typeAt(index + 1) == PlyLexer.NAME
        && tokens.typeAt(index + 2) == PlyLexer.RPAREN
        && tokens.typeAt(index + 3) != PlyLexer.LPAREN
        && tokens.mustBeginOperand(index + 3)
        && !BuiltIns.isKnown(tokens.textAt(index + 1));
  }

  /**
   * Returns the index after a type other than typeof, whose operand is an expression; 0 or less if
   * there is none.
   */
  int endOfNamed(int index) {
    boolean isName = tokens.typeAt(index) == PlyLexer.NAME;
    return isName && !tokens.textAt(index).equals("typeof") ? end(index) : 0;
  }

  /** Returns the index after the type at an index, {@link TokenSequence#NONE} if none is there. */
  int end(int index) {
    int end = index;
    if (tokens.typeAt(index + 1) == PlyLexer.LPAREN && tokens.textAt(index).equals("typeof")) {
      int close = tokens.closing(index + 1);
      return close == NONE ? NONE : starsEnd(close + 1);
    }
    while (tokens.typeAt(end) == PlyLexer.NAME || tokens.typeAt(end) == PlyLexer.FUNCTION) {
      end++;
    }
    List<String> words = IntStream.range(index, end).mapToObj(tokens::textAt).toList();
    int stars = starsEnd(end);
    int after = bracketsEnd(stars);
    boolean isPointer = words.size() == 1 && stars > end;
    boolean isClosed = tokens.typeAt(after) == PlyLexer.RPAREN;
    boolean isTypedef = words.size() == 1 && typedefs.contains(words.get(0));
    return isTypedef || TypeNames.isType(words) || (isPointer && isClosed) ? after : NONE;
  }

  /** {@code [8]} or {@code []}, and stars. */
  private int bracketsEnd(int index) {
    int close = tokens.typeAt(index + 1) == PlyLexer.NUMBER ? index + 2 : index + 1;
    boolean isArray =
        tokens.typeAt(index) == PlyLexer.LBRACKET && tokens.typeAt(close) == PlyLexer.RBRACKET;
    return isArray ? starsEnd(close + 1) : index;
  }

  private int starsEnd(int index) {
    int end = index;
    while (tokens.typeAt(end) == PlyLexer.STAR) {
      end++;
    }
    return end;
  }
}
