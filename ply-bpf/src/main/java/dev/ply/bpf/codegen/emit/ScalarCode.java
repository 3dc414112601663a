package dev.ply.bpf.codegen.emit;

import dev.ply.bpf.isa.Register;

/**
 * A number or address during compilation.
 *
 * <p>A value of a type narrower than 64 bits occupies the lower 32 bits of its register, extended
 * to them by its own signedness; the upper half is unspecified until {@link ArithmeticCode#convert}
 * widens it.
 */
public sealed interface ScalarCode {
  /** A constant, extended to 64 bits by its type. */
  record Constant(long value) implements ScalarCode {}

  /** A value in a register that is not written elsewhere. */
  record InRegister(Register register) implements ScalarCode {}
}
