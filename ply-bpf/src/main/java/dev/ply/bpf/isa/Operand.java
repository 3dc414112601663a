package dev.ply.bpf.isa;

/** The source of an operation: a register or a 32-bit immediate. */
public sealed interface Operand permits Register, Immediate {
  /** Returns the immediate operand {@code value}. */
  static Operand of(int value) {
    return new Immediate(value);
  }
}
