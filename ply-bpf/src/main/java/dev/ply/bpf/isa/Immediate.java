package dev.ply.bpf.isa;

/**
 * A signed 32-bit constant; 64-bit operations sign-extend it (RFC 9669, section 4.1).
 *
 * @param value 32 bits
 */
public record Immediate(int value) implements Operand {
  @Override
  public String toString() {
    return Integer.toString(value);
  }
}
