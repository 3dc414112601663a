package dev.ply.bpf.plan;

/** Where a program finds the number of the place where it runs. */
public sealed interface ProbeNumber {
  /** It does not ask. */
  record Unused() implements ProbeNumber {}

  /** It runs at one place only. */
  record Constant(int value) implements ProbeNumber {}

  /** Each attachment has its own. */
  record Cookie() implements ProbeNumber {}

  /**
   * It is the number of the system call, and something more.
   *
   * @param base what to add
   */
  record OfSystemCall(int base) implements ProbeNumber {}
}
