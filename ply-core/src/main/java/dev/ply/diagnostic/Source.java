package dev.ply.diagnostic;

import java.util.Optional;

/**
 * The text and name of a script.
 *
 * @param name a file name or {@code <input>}
 * @param text with its newlines
 */
public record Source(String name, String text) {
  /** No script: for errors outside of scripts. */
  public static final Source NONE = new Source("", "");

  /**
   * {@return line {@code number}, counted from 1, without its newline, if it exists}
   *
   * @param number counted from 1
   */
  public Optional<String> line(int number) {
    int start = 0;
    for (int i = 1; i < number; i++) {
      start = text.indexOf('\n', start) + 1;
      if (start == 0) {
        return Optional.empty();
      }
    }
    if (start == text.length()) {
      return Optional.empty();
    }
    int newline = text.indexOf('\n', start);
    String line = text.substring(start, newline < 0 ? text.length() : newline);
    return Optional.of(line.endsWith("\r") ? line.substring(0, line.length() - 1) : line);
  }
}
