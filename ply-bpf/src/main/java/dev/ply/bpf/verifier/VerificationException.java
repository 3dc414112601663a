package dev.ply.bpf.verifier;

import java.util.stream.Collectors;

/** A generated program that the verifier refuses: a fault of the compiler, not of the script. */
public final class VerificationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient VerificationReport report;

  /** Says which program is refused and why. */
  public VerificationException(String program, VerificationReport report) {
    super(
        "the code generated for "
            + program
            + " is refused, which is a fault of ply:\n"
            + report.violations().stream()
                .map(
                    violation ->
                        violation.span().map(span -> span + ": ").orElse("") + violation.message())
                .collect(Collectors.joining("\n")));
    this.report = report;
  }

  /** Returns everything the verifier has to say. */
  public VerificationReport report() {
    return report;
  }
}
