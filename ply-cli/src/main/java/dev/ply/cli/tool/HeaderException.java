package dev.ply.cli.tool;

/** A script is no tool: what is wrong with its header. */
final class HeaderException extends Exception {
  private static final long serialVersionUID = 1;

  private final int line;
  private final String problem;

  HeaderException(int line, String message) {
    super("line " + line + ": " + message);
    this.line = line;
    this.problem = message;
  }

  /** Returns the line, counted from 1. */
  int line() {
    return line;
  }

  /** Returns the message without the line. */
  String problem() {
    return problem;
  }
}
