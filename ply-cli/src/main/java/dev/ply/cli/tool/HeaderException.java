package dev.ply.cli.tool;

/** A script is no tool: what is wrong with its header. */
final class HeaderException extends Exception {
  private static final long serialVersionUID = 1;

  HeaderException(int line, String message) {
    super("line " + line + ": " + message);
  }
}
