package dev.ply.target;

import dev.ply.diagnostic.DiagnosticCode;
import java.util.List;

/**
 * Thrown for a probe site that the target does not have; the message names it, the hints name
 * similar ones.
 */
public final class ProbeSiteNotFoundException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final DiagnosticCode code;
  private final transient List<String> hints;

  /**
   * Creates the exception for a missing probe site.
   *
   * @param message a lower-case sentence without full stop
   * @param hints what to do instead
   */
  public ProbeSiteNotFoundException(DiagnosticCode code, String message, String... hints) {
    super(message);
    this.code = code;
    this.hints = List.of(hints);
  }

  /** {@return the kind of diagnostic} */
  public DiagnosticCode code() {
    return code;
  }

  /** {@return what to write instead, most likely first} */
  public List<String> hints() {
    return hints;
  }
}
