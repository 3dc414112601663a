package dev.ply.analysis.typing;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.type.Type.IntType;
import java.math.BigInteger;
import java.util.OptionalLong;

/**
 * Warns of suspicious constants: overflows, shifts by at least the width of the type, comparisons
 * that are always true or always false.
 */
final class ConstantFaults {
  private final Diagnostics diagnostics;

  ConstantFaults(Diagnostics diagnostics) {
    this.diagnostics = diagnostics;
  }

  /**
   * Checks an operation.
   *
   * @param common the type that it is computed in
   */
  void check(Expr.Binary node, IntType left, IntType right, IntType common) {
    switch (node.op().kind()) {
      case SHIFT -> shift(node.right(), common);
      case ARITHMETIC -> overflow(node, left, right, common);
      case COMPARISON -> {
        comparison(node, node.op(), left, node.right(), right, common);
        comparison(node, mirrored(node.op()), right, node.left(), left, common);
      }
      case LOGICAL -> {}
    }
  }

  /** Checks the number of bits that a number of this type is shifted by. */
  void shift(Expr count, IntType shifted) {
    int bits = shifted.bytes() * Byte.SIZE;
    OptionalLong constant = ConstantValue.of(count);
    if (constant.isPresent() && (constant.getAsLong() < 0 || constant.getAsLong() >= bits)) {
      diagnostics.warning(
          DiagnosticCode.OUT_OF_RANGE,
          count.span(),
          "a number of "
              + bits
              + " bits is shifted by 0 to "
              + (bits - 1)
              + " bits, not by "
              + constant.getAsLong(),
          "only the lower bits of this number are used: it is "
              + (constant.getAsLong() & (bits - 1)));
    }
  }

  private void overflow(Expr.Binary node, IntType left, IntType right, IntType common) {
    OptionalLong a = ConstantValue.of(node.left());
    OptionalLong b = ConstantValue.of(node.right());
    if (a.isEmpty() || b.isEmpty()) {
      return;
    }
    BigInteger x = exact(a.getAsLong(), left);
    BigInteger y = exact(b.getAsLong(), right);
    BigInteger result =
        switch (node.op()) {
          case ADD -> x.add(y);
          case SUB -> x.subtract(y);
          case MUL -> x.multiply(y);
          default -> BigInteger.ZERO;
        };
    if (!fits(result, common)) {
      diagnostics.warning(
          DiagnosticCode.OUT_OF_RANGE,
          node.span(),
          "this is " + result + ", too large for " + range(common),
          "the result has the lower " + common.bytes() * Byte.SIZE + " bits of it");
    }
  }

  /** Checks a comparison of a value with a constant at its right. */
  private void comparison(
      Expr.Binary node, BinaryOp op, IntType value, Expr other, IntType type, IntType common) {
    OptionalLong constant = ConstantValue.of(other);
    if (constant.isEmpty()
        || (ConstantValue.of(node.left()).isPresent() && ConstantValue.of(node.right()).isPresent())
        || value.isSigned()
        || common.isSigned()) {
      return;
    }
    boolean isNegative = type.isSigned() && constant.getAsLong() < 0;
    boolean isNarrower = value.bytes() < common.bytes();
    boolean isPointless =
        switch (op) {
          case LT, GE -> constant.getAsLong() == 0 || isNegative;
          case GT, LE -> isNegative;
          case EQ, NE -> isNegative && isNarrower;
          default -> false;
        };
    if (isPointless) {
      diagnostics.warning(
          DiagnosticCode.OUT_OF_RANGE,
          node.span(),
          "the compared value is unsigned and never less than 0",
          "as a signed number: (int64)value");
    }
  }

  private static BinaryOp mirrored(BinaryOp op) {
    return switch (op) {
      case LT -> BinaryOp.GT;
      case GT -> BinaryOp.LT;
      case LE -> BinaryOp.GE;
      case GE -> BinaryOp.LE;
      default -> op;
    };
  }

  /** Returns the value that 64 bits have in a type. */
  static BigInteger exact(long value, IntType type) {
    return type.isSigned() || value >= 0
        ? BigInteger.valueOf(value)
        : new BigInteger(Long.toUnsignedString(value));
  }

  /** Returns whether a type has a value. */
  static boolean fits(BigInteger value, IntType type) {
    int bits = type.bytes() * Byte.SIZE;
    return type.isSigned()
        ? value.bitLength() < bits
        : value.signum() >= 0 && value.bitLength() <= bits;
  }

  /** Returns the range of a type, for messages. */
  static String range(IntType type) {
    int bits = type.bytes() * Byte.SIZE;
    return (type.isSigned() ? "a signed" : "an unsigned") + " number of " + bits + " bits";
  }
}
