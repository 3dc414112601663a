package dev.ply.analysis;

import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.UnaryOp;
import java.util.OptionalLong;

/** Values of constant expressions: number literals, their signs, sums, differences and products. */
final class ConstantValue {
  private ConstantValue() {}

  /** Returns the value of an expression; empty if that is not a constant. */
  static OptionalLong of(Expr expr) {
    if (expr instanceof Expr.IntLiteral literal) {
      return OptionalLong.of(literal.value());
    }
    if (expr instanceof Expr.Unary unary) {
      OptionalLong operand = of(unary.operand());
      if (operand.isPresent() && unary.op() == UnaryOp.NEGATE) {
        return OptionalLong.of(-operand.getAsLong());
      }
      return operand.isPresent() && unary.op() == UnaryOp.COMPLEMENT
          ? OptionalLong.of(~operand.getAsLong())
          : OptionalLong.empty();
    }
    if (expr instanceof Expr.Binary binary) {
      OptionalLong left = of(binary.left());
      OptionalLong right = of(binary.right());
      if (left.isPresent() && right.isPresent()) {
        return of(binary.op(), left.getAsLong(), right.getAsLong());
      }
    }
    return OptionalLong.empty();
  }

  private static OptionalLong of(BinaryOp op, long left, long right) {
    if (op == BinaryOp.ADD) {
      return OptionalLong.of(left + right);
    }
    if (op == BinaryOp.SUB) {
      return OptionalLong.of(left - right);
    }
    return op == BinaryOp.MUL ? OptionalLong.of(left * right) : OptionalLong.empty();
  }
}
