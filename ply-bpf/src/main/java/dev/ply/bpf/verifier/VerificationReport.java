package dev.ply.bpf.verifier;

import java.util.List;

/**
 * The verdict on a program.
 *
 * @param violations the reasons to refuse it, in the order of the instructions; none if it is safe
 * @param instructions how many 8-byte slots the program takes
 * @param stackDepth how many bytes of stack the program and the functions it calls use at most
 */
public record VerificationReport(List<Violation> violations, int instructions, int stackDepth) {
  public VerificationReport {
    violations = List.copyOf(violations);
  }

  /** Returns whether the program is safe. */
  public boolean isAccepted() {
    return violations.isEmpty();
  }
}
