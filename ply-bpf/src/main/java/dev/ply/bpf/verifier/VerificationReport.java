package dev.ply.bpf.verifier;

import java.util.List;

/**
 * The result of verification.
 *
 * @param violations in order of instructions; empty if the program is accepted
 * @param instructions size of the program in 8-byte slots
 * @param stackDepth maximum stack use in bytes, including callees
 */
public record VerificationReport(List<Violation> violations, int instructions, int stackDepth) {
  /** Copies the violations. */
  public VerificationReport {
    violations = List.copyOf(violations);
  }

  /** {@return whether the program was not followed to its end, since its paths are too long} */
  public boolean isTooComplex() {
    return violations.stream().anyMatch(one -> one.message().startsWith(Exploration.TOO_COMPLEX));
  }

  /** {@return whether the verifier accepts the program} */
  public boolean isAccepted() {
    return violations.isEmpty();
  }
}
