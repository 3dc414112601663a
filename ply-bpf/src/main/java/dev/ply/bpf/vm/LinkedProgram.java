package dev.ply.bpf.vm;

import java.util.List;

/** A program made ready to run on one machine. */
final class LinkedProgram {
  /** How many registers there are; constants follow them. */
  static final int REGISTERS = 11;

  private final Step[] steps;
  private final long[] constants;

  /** Takes the instructions without marks, and one {@link Step.Kind#END} after them. */
  LinkedProgram(List<Step> steps, List<Long> constants) {
    this.steps = steps.toArray(Step[]::new);
    this.constants = constants.stream().mapToLong(Long::longValue).toArray();
  }

  /** Returns the steps; the array itself, for speed, which nobody changes. */
  Step[] steps() {
    return steps;
  }

  /**
   * Returns registers of zeroes and behind them the program's constants, so that an operand is
   * found in one way wherever it comes from.
   */
  long[] registers() {
    long[] registers = new long[REGISTERS + constants.length];
    System.arraycopy(constants, 0, registers, REGISTERS, constants.length);
    return registers;
  }
}
