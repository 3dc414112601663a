package dev.ply.analysis.typing;

import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.UnaryOp;
import java.util.OptionalLong;

/**
 * Values of constant expressions: literals of numbers and truth, their signs, sums, differences,
 * products, comparisons and logical combinations; the equality of string literals.
 */
public final class ConstantValue {
  private ConstantValue() {}

  /** Returns the value of an expression; empty if that is not a constant. */
  public static OptionalLong of(Expr expr) {
    if (expr instanceof Expr.IntLiteral literal) {
      return OptionalLong.of(literal.value());
    }
    if (expr instanceof Expr.Cast cast && cast.isTruth()) {
      return not(not(of(cast.operand())));
    }
    if (expr instanceof Expr.Unary unary) {
      OptionalLong operand = of(unary.operand());
      if (unary.op() == UnaryOp.NOT) {
        return not(operand);
      }
      if (operand.isPresent() && unary.op() == UnaryOp.NEGATE) {
        return OptionalLong.of(-operand.getAsLong());
      }
      return operand.isPresent() && unary.op() == UnaryOp.COMPLEMENT
          ? OptionalLong.of(~operand.getAsLong())
          : OptionalLong.empty();
    }
    if (expr instanceof Expr.Binary binary) {
      if (binary.left() instanceof Expr.StringLiteral left
          && binary.right() instanceof Expr.StringLiteral right) {
        return equality(binary.op(), left.value().equals(right.value()));
      }
      return of(binary.op(), of(binary.left()), of(binary.right()));
    }
    return OptionalLong.empty();
  }

  private static OptionalLong equality(BinaryOp op, boolean areEqual) {
    return switch (op) {
      case EQ -> truth(areEqual);
      case NE -> truth(!areEqual);
      default -> OptionalLong.empty();
    };
  }

  /** Returns whether a value is zero. */
  public static OptionalLong not(OptionalLong value) {
    return value.isEmpty() ? value : truth(value.getAsLong() == 0);
  }

  /** Returns the value of an operation, compared as signed numbers; empty for divisions. */
  public static OptionalLong of(BinaryOp op, OptionalLong left, OptionalLong right) {
    if (left.isEmpty() || right.isEmpty()) {
      return OptionalLong.empty();
    }
    long a = left.getAsLong();
    long b = right.getAsLong();
    return switch (op) {
      case ADD -> OptionalLong.of(a + b);
      case SUB -> OptionalLong.of(a - b);
      case MUL -> OptionalLong.of(a * b);
      case EQ -> truth(a == b);
      case NE -> truth(a != b);
      case LT -> truth(a < b);
      case LE -> truth(a <= b);
      case GT -> truth(a > b);
      case GE -> truth(a >= b);
      case LOGICAL_AND -> truth(a != 0 && b != 0);
      case LOGICAL_OR -> truth(a != 0 || b != 0);
      default -> OptionalLong.empty();
    };
  }

  /** Returns 1 for true, else 0. */
  public static OptionalLong truth(boolean holds) {
    return OptionalLong.of(holds ? 1 : 0);
  }
}
