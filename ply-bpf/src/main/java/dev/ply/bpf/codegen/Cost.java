package dev.ply.bpf.codegen;

/** What a built-in's code costs, as one part of a condition may spare the others. */
enum Cost {
  /** A load, or nothing. */
  REGISTER(1),
  /** The call of a short helper. */
  HELPER(12),
  /** The thread's name. */
  NAME(40),
  /** A clock. */
  CLOCK(60),
  /** A read of memory that may fault. */
  MEMORY(150),
  /** A stack trace, an event. */
  STACK(2000);

  private final int instructions;

  Cost(int instructions) {
    this.instructions = instructions;
  }

  /** Returns about as many machine instructions as a kernel of 2024 takes on x86-64. */
  int instructions() {
    return instructions;
  }
}
