package dev.ply.result;

/** The function whose output a piece of text is. */
public enum Message {
  /** {@code printf}: the text as it is. */
  PRINTF("printf", false),
  /** {@code time}: the text as it is. */
  TIME("time", false),
  /** {@code join}: a line. */
  JOIN("join", true),
  /** {@code system}: what the command has written. */
  COMMAND("syscall", false),
  /** {@code cat}: the start of the file. */
  FILE("cat", false);

  private final String type;
  private final boolean isLine;

  Message(String type, boolean isLine) {
    this.type = type;
    this.isLine = isLine;
  }

  /** {@return the {@code type} of its JSON objects} */
  public String type() {
    return type;
  }

  /** {@return whether a newline follows, in text} */
  public boolean isLine() {
    return isLine;
  }
}
