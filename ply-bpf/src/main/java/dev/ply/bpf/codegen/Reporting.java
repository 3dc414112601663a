package dev.ply.bpf.codegen;

/** Which failed operations programs report. */
public enum Reporting {
  /** Nothing: such programs have no instruction for it. */
  NONE,
  /**
   * Errors of the script's own computations: divisions by zero, and elements that an array does not
   * have.
   */
  COMPUTATIONS,
  /** Also calls of the kernel's functions: reads of memory, lookups, stacks, signals. */
  ALL
}
