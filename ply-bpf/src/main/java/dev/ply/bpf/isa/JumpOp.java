package dev.ply.bpf.isa;

/** The comparisons of conditional jumps, in the order of RFC 9669, section 4.3. */
public enum JumpOp {
  /** Equal. */
  JEQ(0x10, "=="),
  /** Unsigned greater. */
  JGT(0x20, ">"),
  /** Unsigned greater or equal. */
  JGE(0x30, ">="),
  /** Any common bit set. */
  JSET(0x40, "&"),
  /** Not equal. */
  JNE(0x50, "!="),
  /** Signed greater. */
  JSGT(0x60, "s>"),
  /** Signed greater or equal. */
  JSGE(0x70, "s>="),
  /** Unsigned less. */
  JLT(0xa0, "<"),
  /** Unsigned less or equal. */
  JLE(0xb0, "<="),
  /** Signed less. */
  JSLT(0xc0, "s<"),
  /** Signed less or equal. */
  JSLE(0xd0, "s<=");

  private final int bits;
  private final String symbol;

  JumpOp(int bits, String symbol) {
    this.bits = bits;
    this.symbol = symbol;
  }

  /** {@return the upper four bits of the opcode} */
  public int bits() {
    return bits;
  }

  /** {@return the comparison operator in the kernel's notation} */
  public String symbol() {
    return symbol;
  }

  /**
   * {@return whether the jump is taken for {@code left} and {@code right}, truncated to {@code
   * width}}
   *
   * @param width 32 or 64 bits
   * @param left the first operand
   * @param right the second operand
   */
  public boolean test(Width width, long left, long right) {
    long l = width == Width.W64 ? left : (int) left;
    long r = width == Width.W64 ? right : (int) right;
    return switch (this) {
      case JEQ -> l == r;
      case JNE -> l != r;
      case JSET -> (l & r) != 0;
      // Sign extension of both operands preserves the unsigned order of 32-bit values.
      case JGT -> Long.compareUnsigned(l, r) > 0;
      case JGE -> Long.compareUnsigned(l, r) >= 0;
      case JLT -> Long.compareUnsigned(l, r) < 0;
      case JLE -> Long.compareUnsigned(l, r) <= 0;
      case JSGT -> l > r;
      case JSGE -> l >= r;
      case JSLT -> l < r;
      case JSLE -> l <= r;
    };
  }
}
