package dev.ply.bpf.codegen;

import dev.ply.bpf.isa.Register;

/**
 * A number or address during compilation.
 *
 * <p>A value of a type narrower than 64 bits occupies the lower 32 bits of its register, extended
 * to them by its own signedness; the upper half is unspecified until {@link ArithmeticCode#convert}
 * makes a 64-bit value of it.
 */
sealed interface ScalarCode {
  /** A value known while compiling, extended to 64 bits by its type. */
  record Constant(long value) implements ScalarCode {}

  /** A value in a register that nobody else writes. */
  record InRegister(Register register) implements ScalarCode {}
}
