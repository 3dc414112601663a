package dev.ply.bpf.vm.interpret;

import java.util.List;

/** A program linked for one machine: steps, and its constant pool. */
public final class LinkedProgram {
  /** Number of machine registers; constants follow them in the register array. */
  public static final int REGISTERS = 11;

  private final Step[] steps;
  private final long[] constants;

  /** Takes one step per instruction, and a final {@link Step.Kind#END}. */
  LinkedProgram(List<Step> steps, List<Long> constants) {
    this.steps = steps.toArray(Step[]::new);
    this.constants = constants.stream().mapToLong(Long::longValue).toArray();
  }

  /** Returns the steps without a copy; read-only. */
  public Step[] steps() {
    return steps;
  }

  /** Returns the value of a constant, by its index among registers and constants. */
  public long constant(int index) {
    return constants[index - REGISTERS];
  }

  /**
   * Returns zeroed registers followed by the constants, so that every operand is an array element.
   */
  public long[] registers() {
    long[] registers = new long[REGISTERS + constants.length];
    System.arraycopy(constants, 0, registers, REGISTERS, constants.length);
    return registers;
  }
}
