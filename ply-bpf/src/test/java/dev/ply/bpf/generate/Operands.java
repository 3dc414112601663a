package dev.ply.bpf.generate;

import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** What pieces compute with. */
final class Operands {
  private final Mistakes mistakes;

  Operands(Mistakes mistakes) {
    this.mistakes = mistakes;
  }

  /** Returns registers that hold numbers. */
  Arbitrary<Register> numbers() {
    return mistakes
        .mostly(40, Arbitraries.of(0, 7, 8, 9), Arbitraries.integers().between(1, 10))
        .map(Register::new);
  }

  /** Returns registers that take numbers. */
  static Arbitrary<Register> results() {
    return Arbitraries.of(0, 7, 8, 9).map(Register::new);
  }

  /** Returns what conditions compare with. */
  static Arbitrary<Operand> numbersOrConstants() {
    return Arbitraries.oneOf(
        results().map(register -> (Operand) register), Numbers.ints().map(Immediate::new));
  }

  /** Returns what arithmetic is done with. */
  Arbitrary<Operand> operands() {
    return Arbitraries.oneOf(
        numbers().map(register -> (Operand) register), Numbers.ints().map(Immediate::new));
  }
}
