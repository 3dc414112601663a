package dev.ply.lang.c.expression;

import dev.ply.ir.BinaryOp;
import java.util.Optional;

/**
 * Parses expressions by the precedence of C's binary operators. What operands are, and what an
 * operation comes to, is left to those that have such expressions: constants and conditions of
 * headers, specifiers, and filters.
 *
 * @param <E> what an expression is parsed to
 * @param <X> ends the parse at an error
 */
public abstract class ExpressionParser<E, X extends Exception> {
  /** The maximum nesting, which bounds the recursion of this and later stages. */
  protected static final int DEEPEST = 200;

  private int depth;

  /** Creates a parser. */
  protected ExpressionParser() {}

  /** A part of the grammar. */
  @FunctionalInterface
  protected interface Part<E, X extends Exception> {
    /** Parses it. */
    E parse() throws X;
  }

  /** Returns the binary operator that is next, without taking it. */
  protected abstract Optional<BinaryOp> operator();

  /** Takes an operator and its {@link #right} side, and returns the operation. */
  protected abstract E operation(BinaryOp operator, E left) throws X;

  /** Parses an operand with its prefix operators. */
  protected abstract E operand() throws X;

  /** Returns the error of an expression that is nested more than {@link #DEEPEST} deep. */
  protected abstract X tooDeep();

  /** Returns the operator of C that has these characters. */
  protected static Optional<BinaryOp> operator(String symbol) {
    for (BinaryOp operator : BinaryOp.values()) {
      if (operator != BinaryOp.LOGICAL_XOR && operator.symbol().equals(symbol)) {
        return Optional.of(operator);
      }
    }
    return Optional.empty();
  }

  /** Parses operands and binary operators up to something else. */
  protected final E expression() throws X {
    return tighterThan(0);
  }

  /** Parses what is on the right of an operator, with what binds tighter. */
  protected final E right(BinaryOp operator) throws X {
    return tighterThan(operator.precedence());
  }

  private E tighterThan(int precedence) throws X {
    int outer = depth;
    try {
      deeper();
      E value = operand();
      for (Optional<BinaryOp> next = operator();
          next.isPresent() && next.get().precedence() > precedence;
          next = operator()) {
        value = operation(next.get(), value);
      }
      return value;
    } finally {
      depth = outer;
    }
  }

  /** Parses a nested part, and counts its depth. */
  protected final E nested(Part<E, X> part) throws X {
    try {
      deeper();
      return part.parse();
    } finally {
      depth--;
    }
  }

  /** Counts a level that lasts as long as the expression. */
  protected final void deeper() throws X {
    if (++depth > DEEPEST) {
      throw tooDeep();
    }
  }
}
