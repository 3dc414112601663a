package dev.ply.bpf.reference;

import dev.ply.ir.BinaryOp;
import dev.ply.ir.UnaryOp;
import dev.ply.type.Dialect;
import dev.ply.type.Type.IntType;
import java.math.BigInteger;

/**
 * An integer of a C type, and operations on it: unbounded numbers, cut to size.
 *
 * @param value in the type's range
 * @param bits 8, 16, 32 or 64
 */
public record CInteger(BigInteger value, int bits, boolean signed) {
  /** Returns the number cut to that size. */
  public static CInteger of(BigInteger value, int bits, boolean signed) {
    BigInteger cut = value.mod(BigInteger.TWO.pow(bits));
    boolean negative = signed && cut.testBit(bits - 1);
    return new CInteger(negative ? cut.subtract(BigInteger.TWO.pow(bits)) : cut, bits, signed);
  }

  /** Returns the number cut to that size. */
  public static CInteger of(long value, int bits, boolean signed) {
    return of(BigInteger.valueOf(value), bits, signed);
  }

  /** Returns the number cut to a type's size. */
  public static CInteger of(long value, IntType type) {
    return of(value, type.bytes() * 8, type.isSigned());
  }

  /** Returns an int that is 1 or 0. */
  public static CInteger truth(boolean value) {
    return of(value ? 1 : 0, 32, true);
  }

  /** Returns a constant, given by its 64 bits, in the first type that has room for it. */
  public static CInteger constant(long unsigned) {
    BigInteger value = new BigInteger(Long.toUnsignedString(unsigned));
    for (int bits = 32; bits <= 64; bits += 32) {
      for (boolean signed : new boolean[] {true, false}) {
        CInteger candidate = of(value, bits, signed);
        if (candidate.value.equals(value)) {
          return candidate;
        }
      }
    }
    throw new AssertionError("64 bits are enough for " + value);
  }

  /** Returns this as another type has it. */
  public CInteger as(int newBits, boolean newSigned) {
    return of(value, newBits, newSigned);
  }

  /** Returns this as another type has it. */
  public CInteger as(IntType type) {
    return as(type.bytes() * 8, type.isSigned());
  }

  /** Returns this as it is computed with: C promotes to int, bpftrace to 64 bits. */
  private CInteger promoted(Dialect dialect) {
    return switch (dialect) {
      case PLY -> bits < 32 ? as(32, true) : this;
      case BPFTRACE -> as(64, signed);
    };
  }

  /** Tells whether this is not zero. */
  public boolean isTrue() {
    return value.signum() != 0;
  }

  /** Returns {@code op this}. */
  public CInteger unary(UnaryOp op, Dialect dialect) {
    // In bpftrace, the size of a single operand stays.
    CInteger operand = dialect == Dialect.PLY ? promoted(dialect) : this;
    return switch (op) {
      case NOT -> truth(!isTrue());
      case NEGATE -> of(operand.value.negate(), operand.bits, operand.signed);
      case COMPLEMENT -> of(operand.value.not(), operand.bits, operand.signed);
      case DEREFERENCE, ADDRESS_OF ->
          throw new IllegalArgumentException("a number points to nothing");
    };
  }

  /** Returns {@code this op right}; no operation has effects, so both sides may be evaluated. */
  public CInteger binary(BinaryOp op, CInteger right, Dialect dialect) {
    return switch (op.kind()) {
      case LOGICAL -> truth(logical(op, isTrue(), right.isTrue()));
      case SHIFT -> promoted(dialect).shifted(op, right);
      case ARITHMETIC, COMPARISON -> {
        CInteger a = promoted(dialect);
        CInteger b = right.promoted(dialect);
        int common = Math.max(a.bits, b.bits);
        boolean sign = (a.bits < common || a.signed) && (b.bits < common || b.signed);
        BigInteger x = a.as(common, sign).value;
        BigInteger y = b.as(common, sign).value;
        yield op.kind() == BinaryOp.Kind.COMPARISON
            ? truth(holds(op, x.compareTo(y)))
            : of(computed(op, x, y), common, sign);
      }
    };
  }

  private static boolean logical(BinaryOp op, boolean left, boolean right) {
    return op == BinaryOp.LOGICAL_AND
        ? left && right
        : op == BinaryOp.LOGICAL_OR ? left || right : left ^ right;
  }

  /** Shifts by the count modulo the width, as the machine does where C leaves it open. */
  private CInteger shifted(BinaryOp op, CInteger right) {
    int count = right.value.mod(BigInteger.valueOf(bits)).intValueExact();
    return of(op == BinaryOp.SHL ? value.shiftLeft(count) : value.shiftRight(count), bits, signed);
  }

  private static boolean holds(BinaryOp op, int order) {
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

  private static BigInteger computed(BinaryOp op, BigInteger x, BigInteger y) {
    return switch (op) {
      case OR -> x.or(y);
      case XOR -> x.xor(y);
      case AND -> x.and(y);
      case ADD -> x.add(y);
      case SUB -> x.subtract(y);
      case MUL -> x.multiply(y);
      case DIV -> y.signum() == 0 ? BigInteger.ZERO : x.divide(y);
      case MOD -> y.signum() == 0 ? x : x.remainder(y);
      case LOGICAL_OR, LOGICAL_XOR, LOGICAL_AND, SHL, SHR, EQ, NE, LT, GT, LE, GE ->
          throw new IllegalArgumentException(op + " is no arithmetic");
    };
  }
}
