package dev.ply.target;

/**
 * Thrown for a fact about the target that this process cannot read; the message says what would
 * help.
 */
public final class UnreadableTargetException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception; the message says what could not be read and what would help.
   *
   * @param message a lower-case sentence without full stop
   */
  public UnreadableTargetException(String message) {
    super(message);
  }
}
