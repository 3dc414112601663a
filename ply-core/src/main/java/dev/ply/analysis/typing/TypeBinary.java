package dev.ply.analysis.typing;

import static dev.ply.diagnostic.DiagnosticCode.OUT_OF_RANGE;
import static dev.ply.diagnostic.DiagnosticCode.TYPE_MISMATCH;

import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.UnaryOp;
import dev.ply.type.Conversions;
import dev.ply.type.Encoding;
import dev.ply.type.IntFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import java.util.Optional;

/** Types binary operations: of numbers, times, addresses and strings. */
final class TypeBinary {
  private final TypeExpression expressions;
  private final TypeElement elements;
  private final MapSymbols symbols;
  private final ConstantFaults constants;
  private final Diagnostics diagnostics;

  TypeBinary(
      TypeExpression expressions,
      TypeElement elements,
      MapSymbols symbols,
      ConstantFaults constants,
      Diagnostics diagnostics) {
    this.expressions = expressions;
    this.elements = elements;
    this.symbols = symbols;
    this.constants = constants;
    this.diagnostics = diagnostics;
  }

  /** Types an operation whose operands have these types. */
  Optional<Type> apply(Expr.Binary node, Optional<Type> left, Optional<Type> right) {
    if (left.isEmpty() || right.isEmpty()) {
      return Optional.empty();
    }
    BinaryOp op = node.op();
    elements.checkAddresses(node, left.get(), right.get());
    Optional<Type> moved = TypeElement.moved(op, left.get(), right.get());
    if (moved.isPresent()) {
      return moved;
    }
    if ((op == BinaryOp.DIV || op == BinaryOp.MOD) && isZero(node.right())) {
      diagnostics.error(
          OUT_OF_RANGE,
          node.right().span(),
          "division by zero",
          "divisors that are zero at run time are allowed: x / 0 is then 0");
      return Optional.empty();
    }
    if ((op == BinaryOp.EQ || op == BinaryOp.NE)
        && TypeExpression.isText(left.get())
        && TypeExpression.isText(right.get())) {
      return Optional.of(IntType.TRUTH);
    }
    boolean isEquality = op == BinaryOp.EQ || op == BinaryOp.NE;
    if (isEquality && isBuffer(left.get()) && isBuffer(right.get())) {
      return Optional.of(IntType.TRUTH);
    }
    if (isEquality && left.get().isAggregate() && right.get().isAggregate()) {
      return aggregates(node, left.get(), right.get());
    }
    if (op == BinaryOp.ADD
        && TypeExpression.isText(left.get())
        && TypeExpression.isText(right.get())) {
      diagnostics.error(
          TYPE_MISMATCH,
          node.span(),
          "\"+\" adds numbers; these are strings",
          "str_concat(a, b) joins strings");
      return Optional.empty();
    }
    Optional<IntType> a =
        operand(op, left.get(), node.left(), "the left side of \"" + op.symbol() + "\"");
    Optional<IntType> b =
        operand(op, right.get(), node.right(), "the right side of \"" + op.symbol() + "\"");
    if (a.isEmpty() || b.isEmpty()) {
      return Optional.empty();
    }
    IntType common =
        op.kind() == BinaryOp.Kind.SHIFT
            ? symbols.dialect().promote(a.get())
            : symbols.dialect().common(a.get(), b.get());
    constants.check(node, a.get(), b.get(), common);
    return Optional.of(
        switch (op.kind()) {
          case LOGICAL, COMPARISON -> IntType.TRUTH;
          case ARITHMETIC -> time(op, a.get(), b.get(), common);
          case SHIFT -> common;
        });
  }

  private Optional<IntType> operand(BinaryOp op, Type type, Expr operand, String role) {
    return op.kind() == BinaryOp.Kind.LOGICAL
        ? expressions.truth(type, operand, role)
        : expressions.integer(type, operand, role, TypeExpression.textHint(type));
  }

  private static boolean isBuffer(Type type) {
    return type instanceof Type.EncodedString string
        && string.encoding() instanceof Encoding.Buffer;
  }

  private Optional<Type> aggregates(Expr.Binary node, Type left, Type right) {
    if (Conversions.unify(left, right).isEmpty()) {
      diagnostics.error(
          TYPE_MISMATCH,
          node.span(),
          TypeExpression.article(left) + " has other elements than " + right.name());
      return Optional.empty();
    }
    return Optional.of(IntType.TRUTH);
  }

  static boolean isZero(Expr expr) {
    if (expr instanceof Expr.Cast cast) {
      return cast.isTruth() && isZero(cast.operand());
    }
    return expr instanceof Expr.IntLiteral literal
        ? literal.value() == 0
        : expr instanceof Expr.Unary minus
            && minus.op() == UnaryOp.NEGATE
            && isZero(minus.operand());
  }

  /**
   * Returns the type of arithmetic on two operands of which either may be a time: what is between
   * two points in time is a duration, and a duration after one is another point; anything else has
   * the common type, a plain number where that would show a time that is none.
   */
  private static IntType time(BinaryOp op, IntType left, IntType right, IntType common) {
    IntFormat first = left.format();
    IntFormat second = right.format();
    boolean isSum = op == BinaryOp.ADD || op == BinaryOp.SUB;
    if (op == BinaryOp.SUB && first.isPointInTime() && first == second) {
      return common.printedAs(IntFormat.DURATION);
    }
    if (isSum && first.isPointInTime() && second.isDuration()) {
      return common.printedAs(first);
    }
    if (op == BinaryOp.ADD && first.isDuration() && second.isPointInTime()) {
      return common.printedAs(second);
    }
    if (isSum && first.isDuration() && second.isDuration()) {
      return common.printedAs(IntFormat.DURATION);
    }
    boolean isTime = common.format().isPointInTime() || common.format().isDuration();
    return isTime && op != BinaryOp.MOD ? common.printedAs(IntFormat.DECIMAL) : common;
  }
}
