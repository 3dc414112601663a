package dev.ply.analysis.typing;

import dev.ply.ir.BinaryOp;
import dev.ply.type.IntFormat;
import dev.ply.type.Type.IntType;

/** The types of differences of times. */
final class TimeArithmetic {
  private TimeArithmetic() {}

  /**
   * Returns the type of arithmetic on two operands of which either may be a time: what is between
   * two points in time is a duration, and a duration after one is another point; anything else has
   * the common type, a plain number where that would show a time that is none.
   */
  static IntType type(BinaryOp op, IntType left, IntType right, IntType common) {
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
