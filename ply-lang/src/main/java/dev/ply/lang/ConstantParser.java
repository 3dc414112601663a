package dev.ply.lang;

import dev.ply.lang.grammar.PlyLexer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.antlr.v4.runtime.Token;

/**
 * Computes the constants in definitions of types, {@code char name[N + 1]}: C's operators on
 * integers, in 64 bits, over literals and the enumerators that are defined so far.
 */
final class ConstantParser {
  private static final int DEEPEST = 100;

  /** The precedence of the operators that bind tightest. */
  private static final int TIGHTEST = 6;

  private final List<Token> tokens;
  private final Map<String, Long> enumerators;
  private int next;
  private int depth;

  /** Creates a parser that starts at an index. */
  ConstantParser(List<Token> tokens, int start, Map<String, Long> enumerators) {
    this.tokens = tokens;
    this.next = start;
    this.enumerators = enumerators;
  }

  /** Returns the value; empty at the first token that is no part of a constant. */
  OptionalLong parse() {
    return binary(1);
  }

  /** Returns the index after the constant, or of the token that is no part of one. */
  int end() {
    return next;
  }

  private OptionalLong binary(int precedence) {
    if (precedence > TIGHTEST) {
      return unary();
    }
    OptionalLong left = binary(precedence + 1);
    while (left.isPresent() && precedence(type()) == precedence) {
      int operator = type();
      int place = next++;
      OptionalLong right = binary(precedence + 1);
      if (right.isEmpty()) {
        return right;
      }
      left = value(operator, left.getAsLong(), right.getAsLong());
      next = left.isPresent() ? next : place;
    }
    return left;
  }

  private static int precedence(int operator) {
    return switch (operator) {
      case PlyLexer.OR -> 1;
      case PlyLexer.XOR -> 2;
      case PlyLexer.AND -> 3;
      case PlyLexer.SHL, PlyLexer.SHR -> 4;
      case PlyLexer.PLUS, PlyLexer.MINUS -> 5;
      case PlyLexer.STAR, PlyLexer.SLASH, PlyLexer.PERCENT -> TIGHTEST;
      default -> 0;
    };
  }

  /** A division by zero has no value. */
  private static OptionalLong value(int operator, long left, long right) {
    boolean divides = operator == PlyLexer.SLASH || operator == PlyLexer.PERCENT;
    if (divides && right == 0) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(
        switch (operator) {
          case PlyLexer.OR -> left | right;
          case PlyLexer.XOR -> left ^ right;
          case PlyLexer.AND -> left & right;
          case PlyLexer.SHL -> left << right;
          case PlyLexer.SHR -> left >> right;
          case PlyLexer.PLUS -> left + right;
          case PlyLexer.MINUS -> left - right;
          case PlyLexer.STAR -> left * right;
          case PlyLexer.SLASH -> left / right;
          default -> left % right;
        });
  }

  private OptionalLong unary() {
    if (depth == DEEPEST) {
      return OptionalLong.empty();
    }
    depth++;
    OptionalLong value = operand();
    depth--;
    return value;
  }

  private OptionalLong operand() {
    int type = type();
    switch (type) {
      case PlyLexer.MINUS, PlyLexer.PLUS, PlyLexer.TILDE -> {
        next++;
        OptionalLong operand = unary();
        return operand.isPresent() ? OptionalLong.of(signed(type, operand.getAsLong())) : operand;
      }
      case PlyLexer.LPAREN -> {
        next++;
        OptionalLong inner = binary(1);
        if (inner.isPresent() && type() != PlyLexer.RPAREN) {
          return OptionalLong.empty();
        }
        next += inner.isPresent() ? 1 : 0;
        return inner;
      }
      case PlyLexer.NUMBER -> {
        return known(LiteralDecoder.number(tokens.get(next).getText()));
      }
      case PlyLexer.NAME -> {
        return known(Optional.ofNullable(enumerators.get(tokens.get(next).getText())));
      }
      default -> {
        return OptionalLong.empty();
      }
    }
  }

  private OptionalLong known(Optional<Long> value) {
    next += value.isPresent() ? 1 : 0;
    return value.map(OptionalLong::of).orElseGet(OptionalLong::empty);
  }

  private static long signed(int operator, long value) {
    return switch (operator) {
      case PlyLexer.MINUS -> -value;
      case PlyLexer.TILDE -> ~value;
      default -> value;
    };
  }

  private int type() {
    return next < tokens.size() ? tokens.get(next).getType() : Token.EOF;
  }
}
