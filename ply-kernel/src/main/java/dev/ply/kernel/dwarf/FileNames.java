package dev.ply.kernel.dwarf;

import java.util.Optional;

/** The source files of a compilation unit, by their numbers in its rows. */
interface FileNames {
  /** Returns the path of a file, as absolute as it is recorded; empty if there is no such file. */
  Optional<String> path(long file) throws BadDwarfException;

  /** Returns whether the names are in {@code .debug_str}. */
  boolean areInStrings() throws BadDwarfException;

  /** Returns the path of a file in a directory. */
  static String join(String directory, String name) {
    return directory.isEmpty() || name.startsWith("/")
        ? name
        : directory + (directory.endsWith("/") ? "" : "/") + name;
  }
}
