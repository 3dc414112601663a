package dev.ply.bpf.codegen.storage;

import dev.ply.ir.BinaryOp;
import dev.ply.type.Type.IntType;

/** Integer arithmetic of constants, with the results that the machine would compute. */
public final class ConstantArithmetic {
  private ConstantArithmetic() {}

  /** Returns a constant truncated to its type and extended to 64 bits by its signedness. */
  public static long extend(long value, IntType type) {
    int unused = 64 - type.bytes() * 8;
    return type.isSigned() ? value << unused >> unused : value << unused >>> unused;
  }

  /** Computes {@code left op right} for constants, as the machine would. */
  public static long fold(BinaryOp op, long left, long right, IntType type) {
    int countMask = type.bytes() == 8 ? 63 : 31;
    long result =
        switch (op) {
          case OR -> left | right;
          case XOR -> left ^ right;
          case AND -> left & right;
          case SHL -> left << (right & countMask);
          case SHR -> type.isSigned() ? left >> (right & countMask) : left >>> (right & countMask);
          case ADD -> left + right;
          case SUB -> left - right;
          case MUL -> left * right;
          case DIV ->
              right == 0 ? 0 : type.isSigned() ? left / right : Long.divideUnsigned(left, right);
          case MOD ->
              right == 0
                  ? left
                  : type.isSigned() ? left % right : Long.remainderUnsigned(left, right);
          case LOGICAL_OR, LOGICAL_XOR, LOGICAL_AND, EQ, NE, LT, GT, LE, GE ->
              throw new IllegalArgumentException(op + " is no arithmetic");
        };
    return extend(result, type);
  }

  /** Returns whether {@code left op right} holds for constants of type {@code type}. */
  public static boolean holds(BinaryOp op, long left, long right, IntType type) {
    int order = type.isSigned() ? Long.compare(left, right) : Long.compareUnsigned(left, right);
    return switch (op) {
      case EQ -> order == 0;
      case NE -> order != 0;
      case LT -> order < 0;
      case GT -> order > 0;
      case LE -> order <= 0;
      case GE -> order >= 0;
      case LOGICAL_OR, LOGICAL_XOR, LOGICAL_AND, OR, XOR, AND, SHL, SHR, ADD, SUB, MUL, DIV, MOD ->
          throw new IllegalArgumentException(op + " is no comparison");
    };
  }
}
