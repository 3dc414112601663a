package dev.ply.bpf.plan;

/** Where a program finds the number of its probe site. */
public sealed interface ProbeNumber {
  /** Not used. */
  record Unused() implements ProbeNumber {}

  /** The program has one site. */
  record Constant(int value) implements ProbeNumber {}

  /** The attachment's cookie. */
  record Cookie() implements ProbeNumber {}

  /**
   * The syscall number plus a base.
   *
   * @param base the number to add
   */
  record OfSystemCall(int base) implements ProbeNumber {}
}
