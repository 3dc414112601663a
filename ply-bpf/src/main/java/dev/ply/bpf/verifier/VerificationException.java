package dev.ply.bpf.verifier;

import java.util.stream.Collectors;

/** The verifier's rejection of a generated program: a bug in the compiler, not in the script. */
public final class VerificationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient VerificationReport report;

  /**
   * Creates an exception for the program with the given name.
   *
   * @param program its name
   * @param report with at least one violation
   */
  public VerificationException(String program, VerificationReport report) {
    super(
        "the code generated for "
            + program
            + " is rejected by ply's verifier, which is a bug in ply:\n"
            + report.violations().stream()
                .map(
                    violation ->
                        violation.span().map(span -> span + ": ").orElse("") + violation.message())
                .collect(Collectors.joining("\n")));
    this.report = report;
  }

  /** {@return the full report} */
  public VerificationReport report() {
    return report;
  }
}
