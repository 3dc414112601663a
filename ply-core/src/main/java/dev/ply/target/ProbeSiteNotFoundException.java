package dev.ply.target;

import dev.ply.diagnostic.DiagnosticCode;
import java.util.List;

/**
 * A place that a machine does not have; the message says which, the hints what there is instead.
 */
public final class ProbeSiteNotFoundException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final DiagnosticCode code;
  private final transient List<String> hints;

  /** Says what there is not. */
  public ProbeSiteNotFoundException(DiagnosticCode code, String message, String... hints) {
    super(message);
    this.code = code;
    this.hints = List.of(hints);
  }

  /** Returns the kind of fault. */
  public DiagnosticCode code() {
    return code;
  }

  /** Returns what to write instead, in the order of likelihood. */
  public List<String> hints() {
    return hints;
  }
}
