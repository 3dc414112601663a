package dev.ply.diagnostic;

import java.util.List;
import java.util.Optional;

/**
 * The text and name of a script, and the files that it imports.
 *
 * @param name a file name or {@code <input>}
 * @param text with its newlines
 * @param imports what it imports, each path once
 */
public record Source(String name, String text, List<Import> imports) {
  /** No script: for errors outside of scripts. */
  public static final Source NONE = new Source("", "");

  /**
   * What an {@code import} statement names.
   *
   * @param path as the script has it
   * @param files in the order they are read; none if all of them are imported elsewhere
   * @param problem why it cannot be read, if so
   */
  public record Import(String path, List<Source> files, Optional<String> problem) {
    /** The path of what is read before a script that does not name it. */
    public static final String BEFORE = "";

    /** Copies the list. */
    public Import {
      files = List.copyOf(files);
    }

    /**
     * {@return whether a path is that of bpftrace's library: what it has is built in, so that no
     * file is needed}
     *
     * @param path as a script has it
     */
    public static boolean isLibrary(String path) {
      return path.equals("stdlib") || path.startsWith("stdlib/");
    }
  }

  /** Copies the list. */
  public Source {
    imports = List.copyOf(imports);
  }

  /**
   * A script without imports.
   *
   * @param name a file name or {@code <input>}
   * @param text with its newlines
   */
  public Source(String name, String text) {
    this(name, text, List.of());
  }

  /**
   * {@return the script with the files that it imports}
   *
   * @param files what its {@code import} statements name, each once
   */
  public Source withImports(List<Import> files) {
    return new Source(name, text, files);
  }

  /**
   * {@return this script or the one of the imported files that has this name, if there is one}
   *
   * @param file the name of a source
   */
  public Optional<Source> named(String file) {
    if (name.equals(file)) {
      return Optional.of(this);
    }
    return imports.stream()
        .flatMap(one -> one.files().stream())
        .flatMap(one -> one.named(file).stream())
        .findFirst();
  }

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
