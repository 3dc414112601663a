package dev.ply.bpf.vm.memory;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;

/** BPF arithmetic on register values (RFC 9669, sections 4.1 and 4.2). */
public final class Arithmetic {
  private static final long LOWER = 0xffff_ffffL;

  private Arithmetic() {}

  /** Returns {@code left op right}; 32-bit results are zero-extended. */
  public static long apply(Width width, AluOp op, long left, long right) {
    return width == Width.W64 ? apply(op, left, right) : apply(op, (int) left, (int) right) & LOWER;
  }

  private static long apply(AluOp op, long left, long right) {
    return switch (op) {
      case ADD -> left + right;
      case SUB -> left - right;
      case MUL -> left * right;
      case DIV -> divide(left, right);
      case SDIV -> divideSigned(left, right);
      case OR -> left | right;
      case AND -> left & right;
      case LSH -> left << right;
      case RSH -> left >>> right;
      case MOD -> remainder(left, right);
      case SMOD -> remainderSigned(left, right);
      case XOR -> left ^ right;
      case MOV -> right;
      case ARSH -> left >> right;
    };
  }

  private static int apply(AluOp op, int left, int right) {
    return switch (op) {
      case ADD -> left + right;
      case SUB -> left - right;
      case MUL -> left * right;
      case DIV -> divide(left, right);
      case SDIV -> divideSigned(left, right);
      case OR -> left | right;
      case AND -> left & right;
      case LSH -> left << right;
      case RSH -> left >>> right;
      case MOD -> remainder(left, right);
      case SMOD -> remainderSigned(left, right);
      case XOR -> left ^ right;
      case MOV -> right;
      case ARSH -> left >> right;
    };
  }

  /** Returns the unsigned quotient, 0 for a division by 0. */
  public static long divide(long left, long right) {
    return right == 0 ? 0 : Long.divideUnsigned(left, right);
  }

  /** Returns the signed quotient, 0 for a division by 0. */
  public static long divideSigned(long left, long right) {
    return right == 0 ? 0 : left / right;
  }

  /** Returns the unsigned remainder, {@code left} for a division by 0. */
  public static long remainder(long left, long right) {
    return right == 0 ? left : Long.remainderUnsigned(left, right);
  }

  /** Returns the signed remainder, {@code left} for a division by 0. */
  public static long remainderSigned(long left, long right) {
    return right == 0 ? left : left % right;
  }

  /** Returns the unsigned quotient, 0 for a division by 0. */
  public static int divide(int left, int right) {
    return right == 0 ? 0 : Integer.divideUnsigned(left, right);
  }

  /** Returns the signed quotient, 0 for a division by 0. */
  public static int divideSigned(int left, int right) {
    return right == 0 ? 0 : left / right;
  }

  /** Returns the unsigned remainder, {@code left} for a division by 0. */
  public static int remainder(int left, int right) {
    return right == 0 ? left : Integer.remainderUnsigned(left, right);
  }

  /** Returns the signed remainder, {@code left} for a division by 0. */
  public static int remainderSigned(int left, int right) {
    return right == 0 ? left : left % right;
  }

  /** Returns {@code -value}. */
  public static long negate(Width width, long value) {
    return truncate(width, -value);
  }

  /** Returns the low {@code size} of {@code value}, sign-extended to {@code width}. */
  public static long signExtend(Width width, Size size, long value) {
    return truncate(width, extend(Extension.SIGN, size, value));
  }

  /** Returns the low {@code size} of {@code value}, extended to 64 bits. */
  public static long extend(Extension extension, Size size, long value) {
    int unused = Long.SIZE - 8 * size.bytes();
    return switch (extension) {
      case ZERO -> value << unused >>> unused;
      case SIGN -> value << unused >> unused;
    };
  }

  /** Returns the low {@code bits} of {@code value} byte-swapped, zero-extended. */
  public static long swap(int bits, long value) {
    return Long.reverseBytes(value) >>> (Long.SIZE - bits);
  }

  /** Returns the new value in memory after an atomic operation other than CMPXCHG. */
  static long update(AtomicOp op, long memory, long source) {
    return switch (op) {
      case ADD, FETCH_ADD -> memory + source;
      case OR, FETCH_OR -> memory | source;
      case AND, FETCH_AND -> memory & source;
      case XOR, FETCH_XOR -> memory ^ source;
      case XCHG, CMPXCHG -> source;
    };
  }

  private static long truncate(Width width, long value) {
    return width == Width.W64 ? value : value & LOWER;
  }
}
