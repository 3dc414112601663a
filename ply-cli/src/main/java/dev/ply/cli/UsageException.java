package dev.ply.cli;

/** Thrown for an invalid command line; the message is for its author. */
final class UsageException extends Exception {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }
}
