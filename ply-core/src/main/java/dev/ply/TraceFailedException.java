package dev.ply;

/**
 * A trace that ended because handling its events failed; the cause is what was thrown first, by a
 * listener, an output stream, symbolisation or the kernel. Results can still be read.
 */
public final class TraceFailedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /** Wraps what was thrown. */
  public TraceFailedException(Throwable cause) {
    super("handling the trace's events failed: " + cause, cause);
  }
}
