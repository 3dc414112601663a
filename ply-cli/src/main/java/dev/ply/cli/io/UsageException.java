package dev.ply.cli.io;

/** Thrown for an invalid command line; the message is for its author. */
public final class UsageException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Creates an exception; the message says what is wrong, and what to write instead. */
  public UsageException(String message) {
    super(message);
  }
}
