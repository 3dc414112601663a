package dev.ply.bpf.codegen.clause;

/** The cost of a built-in's code, to order the operands of conditions. */
public enum Cost {
  /** A load, or less. */
  REGISTER(1),
  /** A call of a short helper. */
  HELPER(12),
  /** The thread's name. */
  NAME(40),
  /** A clock. */
  CLOCK(60),
  /** A memory read that can fault. */
  MEMORY(150),
  /** A stack trace or event. */
  STACK(2000);

  private final int instructions;

  Cost(int instructions) {
    this.instructions = instructions;
  }

  /** Returns the approximate number of machine instructions, on x86-64 with a kernel of 2024. */
  public int instructions() {
    return instructions;
  }
}
