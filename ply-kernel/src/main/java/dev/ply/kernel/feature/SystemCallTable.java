package dev.ply.kernel.feature;

import dev.ply.target.Architecture;
import java.util.OptionalInt;

/** The numbers of system calls by the names that their tracepoints have. */
final class SystemCallTable {
  private static final int DECIMAL = 10;

  private SystemCallTable() {}

  /** Returns the number of a call; a call that is not listed has none here. */
  static OptionalInt number(Architecture architecture, String name) {
    if (architecture != Architecture.X86_64) {
      return OptionalInt.empty();
    }
    // Found without a table, since few are asked for.
    String lines = SystemCallsX86.LINES;
    int space = lines.indexOf(" " + name + "\n");
    if (space < 0) {
      return OptionalInt.empty();
    }
    int begin = lines.lastIndexOf('\n', space) + 1;
    return OptionalInt.of(Integer.parseInt(lines, begin, space, DECIMAL));
  }
}
