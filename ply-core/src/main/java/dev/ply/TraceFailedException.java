package dev.ply;

/**
 * Thrown for a trace whose events could not be handled; the cause is the first exception of a
 * listener, an output stream, symbolisation or the kernel. Results can still be read.
 */
public final class TraceFailedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /**
   * Wraps the cause.
   *
   * @param cause the first exception or error
   */
  public TraceFailedException(Throwable cause) {
    super("handling the trace's events failed: " + cause, cause);
  }
}
