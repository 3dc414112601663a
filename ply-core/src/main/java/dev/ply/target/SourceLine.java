package dev.ply.target;

import dev.ply.type.Escapes;

/**
 * A line of a source file, from the debug information of a program. It is what a compiler, or
 * whoever wrote the program's file, put there: the file need not exist, and its name can contain
 * anything.
 *
 * @param file as the compiler recorded it: usually an absolute path; up to DWARF 4, one relative to
 *     the directory of the build
 * @param line counted from 1
 */
public record SourceLine(String file, int line) {
  /** Returns {@code file:line}, control characters escaped. */
  @Override
  public String toString() {
    return Escapes.escape(file) + ":" + line;
  }
}
