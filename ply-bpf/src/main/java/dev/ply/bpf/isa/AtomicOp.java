package dev.ply.bpf.isa;

/** Atomic read-modify-write operations on memory (RFC 9669, section 5.3). */
public enum AtomicOp {
  /** Addition, the old value is not returned. */
  ADD(0x00, "+="),
  /** Bitwise or, the old value is not returned. */
  OR(0x40, "|="),
  /** Bitwise and, the old value is not returned. */
  AND(0x50, "&="),
  /** Bitwise exclusive or, the old value is not returned. */
  XOR(0xa0, "^="),
  /** Addition; the source register receives the old value. Needs kernel 5.12. */
  FETCH_ADD(0x01, "+="),
  /** Bitwise or; the source register receives the old value. Needs kernel 5.12. */
  FETCH_OR(0x41, "|="),
  /** Bitwise and; the source register receives the old value. Needs kernel 5.12. */
  FETCH_AND(0x51, "&="),
  /** Bitwise exclusive or; the source register receives the old value. Needs kernel 5.12. */
  FETCH_XOR(0xa1, "^="),
  /** Exchange; the source register receives the old value. Needs kernel 5.12. */
  XCHG(0xe1, "="),
  /** Store if memory equals r0; r0 receives the old value. Needs kernel 5.12. */
  CMPXCHG(0xf1, "=");

  private final int immediate;
  private final String symbol;

  AtomicOp(int immediate, String symbol) {
    this.immediate = immediate;
    this.symbol = symbol;
  }

  /** {@return the immediate field that selects this operation} */
  public int immediate() {
    return immediate;
  }

  /** {@return the operator in the kernel's notation} */
  public String symbol() {
    return symbol;
  }

  /** {@return whether the instruction returns the old value} */
  public boolean fetches() {
    return (immediate & 1) != 0;
  }
}
