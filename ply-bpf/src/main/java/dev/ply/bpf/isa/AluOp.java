package dev.ply.bpf.isa;

/** The binary arithmetic operations, in the order of RFC 9669, section 4.1. */
public enum AluOp {
  /** Addition. */
  ADD(0x00, 0, "+="),
  /** Subtraction. */
  SUB(0x10, 0, "-="),
  /** Multiplication. */
  MUL(0x20, 0, "*="),
  /** Unsigned division; by zero yields zero. */
  DIV(0x30, 0, "/="),
  /** Signed division; by zero yields zero. Needs kernel 6.6. */
  SDIV(0x30, 1, "s/="),
  /** Bitwise or. */
  OR(0x40, 0, "|="),
  /** Bitwise and. */
  AND(0x50, 0, "&="),
  /** Left shift by the low five or six bits of the count. */
  LSH(0x60, 0, "<<="),
  /** Logical right shift by the low five or six bits of the count. */
  RSH(0x70, 0, ">>="),
  /** Unsigned remainder; by zero yields the dividend. */
  MOD(0x90, 0, "%="),
  /** Signed remainder; by zero yields the dividend. Needs kernel 6.6. */
  SMOD(0x90, 1, "s%="),
  /** Bitwise exclusive or. */
  XOR(0xa0, 0, "^="),
  /** Copy. */
  MOV(0xb0, 0, "="),
  /** Arithmetic right shift by the low five or six bits of the count. */
  ARSH(0xc0, 0, "s>>=");

  private final int bits;
  private final int offset;
  private final String symbol;

  AluOp(int bits, int offset, String symbol) {
    this.bits = bits;
    this.offset = offset;
    this.symbol = symbol;
  }

  /** {@return the upper four bits of the opcode} */
  public int bits() {
    return bits;
  }

  /** {@return the value of the offset field: 1 for signed division and remainder, else 0} */
  public int offset() {
    return offset;
  }

  /** {@return the assignment operator in the kernel's notation} */
  public String symbol() {
    return symbol;
  }
}
