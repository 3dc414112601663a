package dev.ply.lang.print;

import dev.ply.lang.grammar.PlyLexer;
import java.util.Set;

/**
 * Whether a space is between two words of one line. Where an operator can be another one, as the
 * star of a type or of a product, the script's own spaces stay.
 */
final class TokenSpacing {
  private static final Set<String> OPERATORS =
      Set.of(
          "==", "!=", "<=", ">=", "<", ">", "&&", "||", "^^", "<<", ">>", "+=", "-=", "*=", "/=",
          "%=", "&=", "|=", "^=", "<<=", ">>=", "?", "+", "%", "|", "^", "/");

  /** Operators of one operand or two. */
  private static final Set<String> AMBIGUOUS = Set.of("*", "&", "-");

  private static final Set<String> BEFORE_PARENTHESIS = Set.of("if", "while", "for", "unroll");

  /** Whether the last word is an operator of two operands. */
  private boolean isBinary;

  /**
   * Returns whether a space is between two words.
   *
   * @param isNested whether they are in parentheses or brackets
   */
  boolean between(FormatPiece before, FormatPiece next, boolean isNested) {
    boolean wasBinary = isBinary;
    isBinary = AMBIGUOUS.contains(next.text()) && isOperand(before);
    String left = before.text();
    String right = next.text();
    if (left.equals("(") || left.equals("[") || isOneOf(right, ",", ";", ")", "]")) {
      return false;
    }
    if (isOneOf(left, ",", ";", "{") || isOneOf(right, "{", "}", "else")) {
      return true;
    }
    if (right.equals("(")) {
      return BEFORE_PARENTHESIS.contains(left)
          || isOperator(left, isNested)
          || wasBinary
          || (next.isSpaced() && before.type() != PlyLexer.FUNCTION);
    }
    if (left.equals("?") && right.equals(":")) {
      return next.isSpaced();
    }
    return isOperator(left, isNested)
        || isOperator(right, isNested)
        || wasBinary
        || isBinary
        || next.isSpaced();
  }

  private static boolean isOneOf(String word, String... words) {
    for (String one : words) {
      if (word.equals(one)) {
        return true;
      }
    }
    return false;
  }

  /** The equals sign of a record's element may have spaces or not. */
  private static boolean isOperator(String word, boolean isNested) {
    return OPERATORS.contains(word) || (word.equals("=") && !isNested);
  }

  /** Returns whether a word can only be the end of an operand. */
  private static boolean isOperand(FormatPiece word) {
    return switch (word.type()) {
      case PlyLexer.NUMBER,
          PlyLexer.STRING,
          PlyLexer.CHARACTER,
          PlyLexer.VARIABLE,
          PlyLexer.AGGREGATION,
          PlyLexer.RBRACKET ->
          true;
      default -> false;
    };
  }
}
