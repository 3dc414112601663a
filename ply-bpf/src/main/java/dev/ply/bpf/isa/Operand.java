package dev.ply.bpf.isa;

/** The source of an operation: a register or a 32-bit immediate. */
public sealed interface Operand permits Register, Immediate {
  /**
   * {@return the immediate operand {@code value}}
   *
   * @param value 32 bits
   */
  static Operand of(int value) {
    return new Immediate(value);
  }
}
