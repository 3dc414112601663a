package dev.ply.type;

import dev.ply.type.Type.IntType;

/**
 * Whose rules a script follows where ply and bpftrace differ: which types integers are computed in,
 * and whether {@code exit} leaves the clause.
 */
public enum Dialect {
  /** ply's: integers are computed as in C, in 32 bits, or 64 if an operand has more. */
  PLY {
    @Override
    public IntType promote(IntType type) {
      return Conversions.promote(type);
    }

    @Override
    public IntType common(IntType left, IntType right) {
      return Conversions.common(left, right);
    }
  },
  /**
   * bpftrace's: integers are computed in 64 bits, unsigned if an operand is. Two operands of one
   * smaller type, which bpftrace computes in that, cannot overflow either.
   */
  BPFTRACE {
    @Override
    public IntType ofUnary(IntType type) {
      return Conversions.number(type);
    }

    @Override
    public IntType ofElement(IntType type) {
      return switch (type.format()) {
        case DECIMAL, PID, CPU -> type;
        case BOOLEAN -> type.ofBytes(1);
        default -> super.ofElement(type);
      };
    }

    @Override
    public IntType ofConstantElement(IntType type, long value) {
      return type.isSigned() ? type.ofBytes(bytes(value)) : ofElement(type);
    }

    private static int bytes(long value) {
      if (value == (int) value) {
        return value == (byte) value ? 1 : value == (short) value ? 2 : 4;
      }
      return Long.BYTES;
    }

    @Override
    public int sizeOf(Type type) {
      return type instanceof IntType integer && integer.isTruth() ? 1 : type.size();
    }

    @Override
    public IntType promote(IntType type) {
      return IntType.of(Long.BYTES, type.signedness());
    }

    @Override
    public IntType common(IntType left, IntType right) {
      return left.equals(right) && left.bytes() == Long.BYTES && !left.isTruth()
          ? left
          : Conversions.common(promote(left), promote(right));
    }
  };

  /**
   * {@return the value of {@code sizeof}, which for bpftrace's truth values is 1}
   *
   * @param type of what is measured
   */
  public int sizeOf(Type type) {
    return type.size();
  }

  /**
   * {@return the type of a number as an element of a tuple: 64 bits, as in maps named with
   * {@code @}; in bpftrace's dialect its own}
   *
   * @param type of the number
   */
  public IntType ofElement(IntType type) {
    return type.ofBytes(Long.BYTES);
  }

  /**
   * {@return the type of a constant as an element of a tuple: 64 bits; in bpftrace's dialect as few
   * bytes as it needs}
   *
   * @param type of the constant
   */
  public IntType ofConstantElement(IntType type, long value) {
    return ofElement(type);
  }

  /**
   * {@return the type of {@code -x} and {@code ~x}}
   *
   * @param type of the operand
   */
  public IntType ofUnary(IntType type) {
    return promote(type);
  }

  /**
   * {@return the type of a number that is shifted, or counted up}
   *
   * @param type of the operand
   */
  public abstract IntType promote(IntType type);

  /**
   * {@return the type of arithmetic on two operands, and of their comparison}
   *
   * @param left of the first operand
   * @param right of the second operand
   */
  public abstract IntType common(IntType left, IntType right);
}
