package dev.ply.lang.token;

import dev.ply.lang.grammar.PlyLexer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.antlr.v4.runtime.Token;

/** The tokens of a script, and facts about a token that follow from those right around it. */
public final class TokenSequence {
  /** No index. */
  static final int NONE = -1;

  private final List<Token> tokens;
  private final int[] closing;

  public TokenSequence(List<Token> tokens) {
    this.tokens = tokens;
    this.closing = closingParentheses(tokens);
  }

  private static int[] closingParentheses(List<Token> tokens) {
    int[] closing = new int[tokens.size()];
    Deque<Integer> open = new ArrayDeque<>();
    for (int i = 0; i < closing.length; i++) {
      closing[i] = NONE;
      switch (tokens.get(i).getType()) {
        case PlyLexer.LPAREN -> open.push(i);
        case PlyLexer.RPAREN -> {
          if (!open.isEmpty()) {
            closing[open.pop()] = i;
          }
        }
        // Brackets open at a statement's end are never closed.
        case PlyLexer.SEMICOLON, PlyLexer.LBRACE, PlyLexer.RBRACE, PlyLexer.DEFINITION ->
            open.clear();
        default -> {}
      }
    }
    return closing;
  }

  int size() {
    return tokens.size();
  }

  Token get(int index) {
    return tokens.get(index);
  }

  /** Returns the type of the token at an index, {@link Token#EOF} outside the sequence. */
  int typeAt(int index) {
    return index >= 0 && index < tokens.size() ? tokens.get(index).getType() : Token.EOF;
  }

  String textAt(int index) {
    return tokens.get(index).getText();
  }

  /**
   * Returns the index of the parenthesis that closes the one at an index, {@link #NONE} if none
   * does.
   */
  int closing(int index) {
    return closing[index];
  }

  /** {@code fn name(}, with the types that tokens have before and after this. */
  boolean isFunction(int index) {
    return textAt(index).equals("fn")
        && (typeAt(index + 1) == PlyLexer.NAME || typeAt(index + 1) == PlyLexer.FUNCTION)
        && typeAt(index + 2) == PlyLexer.LPAREN;
  }

  /** {@code let $x}, at the variable. */
  boolean isDeclared(int index) {
    return index > 0 && textAt(index - 1).equals("let");
  }

  /** {@code --}, without a space between. */
  boolean isDoubled(int index) {
    return typeAt(index) == PlyLexer.MINUS
        && typeAt(index + 1) == PlyLexer.MINUS
        && tokens.get(index).getStopIndex() + 1 == tokens.get(index + 1).getStartIndex();
  }

  /**
   * Returns whether a token starts an operand and cannot be a binary operator, as {@code *} can.
   */
  boolean mustBeginOperand(int index) {
    int type = typeAt(index);
    return beginsOperand(index)
        && type != PlyLexer.STAR
        && type != PlyLexer.AND
        && type != PlyLexer.MINUS;
  }

  /** Returns whether a token can start an operand. */
  boolean beginsOperand(int index) {
    return switch (typeAt(index)) {
      case PlyLexer.NUMBER,
          PlyLexer.BAD_NUMBER,
          PlyLexer.NAME,
          PlyLexer.FUNCTION,
          PlyLexer.MAP,
          PlyLexer.AGGREGATION,
          PlyLexer.VARIABLE,
          PlyLexer.STRING,
          PlyLexer.CHARACTER,
          PlyLexer.LPAREN,
          PlyLexer.CAST,
          PlyLexer.MINUS,
          PlyLexer.TILDE,
          PlyLexer.NOT,
          PlyLexer.STAR,
          PlyLexer.AND,
          PlyLexer.INCREMENT ->
          true;
      default -> false;
    };
  }

  /** Returns whether tokens of a type are binary operators, or can be. */
  static boolean isOperator(int type) {
    return switch (type) {
      case PlyLexer.STAR,
          PlyLexer.SLASH,
          PlyLexer.PERCENT,
          PlyLexer.PLUS,
          PlyLexer.MINUS,
          PlyLexer.SHL,
          PlyLexer.SHR,
          PlyLexer.LT,
          PlyLexer.GT,
          PlyLexer.LE,
          PlyLexer.GE,
          PlyLexer.EQ,
          PlyLexer.NE,
          PlyLexer.AND,
          PlyLexer.XOR,
          PlyLexer.OR,
          PlyLexer.LOGICAL_AND,
          PlyLexer.LOGICAL_XOR,
          PlyLexer.LOGICAL_OR ->
          true;
      default -> false;
    };
  }
}
