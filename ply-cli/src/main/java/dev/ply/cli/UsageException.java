package dev.ply.cli;

/** A command line that cannot be followed; the message is for the person who wrote it. */
final class UsageException extends Exception {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }
}
