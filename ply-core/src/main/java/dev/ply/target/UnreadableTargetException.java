package dev.ply.target;

/**
 * A fact about the target that is there but may not, or cannot, be read; the message says what
 * would help.
 */
public final class UnreadableTargetException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says what could not be read and what would help. */
  public UnreadableTargetException(String message) {
    super(message);
  }
}
