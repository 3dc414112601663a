package dev.ply.kernel.feature;

import dev.ply.target.Architecture;
import java.util.OptionalInt;

/** Syscall numbers by the names of their tracepoints. */
final class SystemCallTable {
  private static final int DECIMAL = 10;

  private SystemCallTable() {}

  /** Returns the number of a syscall; empty if it is not listed. */
  static OptionalInt number(Architecture architecture, String name) {
    if (architecture != Architecture.X86_64) {
      return OptionalInt.empty();
    }
    // No hash map, since few are looked up.
    String lines = SystemCallsX86.LINES;
    int space = lines.indexOf(" " + name + "\n");
    if (space < 0) {
      return OptionalInt.empty();
    }
    int begin = lines.lastIndexOf('\n', space) + 1;
    return OptionalInt.of(Integer.parseInt(lines, begin, space, DECIMAL));
  }
}
