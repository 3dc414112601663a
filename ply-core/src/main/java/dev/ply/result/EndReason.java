package dev.ply.result;

/**
 * Why a trace ended. Its probes are detached when it is stopped or closed; events between its end
 * and then are discarded.
 */
public sealed interface EndReason {
  /**
   * The script called {@code exit}.
   *
   * @param status the argument, of which a process's exit status has the lower eight bits
   */
  record Exited(int status) implements EndReason {}

  /** The session was stopped or closed. */
  record Stopped() implements EndReason {}

  /**
   * Handling an event, or detaching, failed.
   *
   * @param cause the first exception or error; later ones are suppressed in it
   */
  record Failed(Throwable cause) implements EndReason {}
}
