package dev.ply.cli.input;

import java.nio.file.Path;
import java.util.List;

/**
 * The header options of a command line.
 *
 * @param directories where headers are looked for that are not beside the file that includes them
 * @param headers included before the script, as in {@code #include "header"}
 */
public record Includes(List<Path> directories, List<String> headers) {
  /** No directories and no headers. */
  static final Includes NONE = new Includes(List.of(), List.of());

  /** Keeps copies. */
  public Includes {
    directories = List.copyOf(directories);
    headers = List.copyOf(headers);
  }

  /** Returns the lines that include the headers. */
  String text() {
    StringBuilder text = new StringBuilder();
    headers.forEach(header -> text.append("#include \"").append(header).append("\"\n"));
    return text.toString();
  }
}
