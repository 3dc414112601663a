package dev.ply.kernel.procfs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** Where the stack of a process begins, from {@code /proc/PID/stat}. */
public final class ProcessStack {
  /** Field 28, startstack, counted from the state, which is field 3. */
  private static final int START = 25;

  private ProcessStack() {}

  /**
   * Returns the address, which execve(2) chooses anew; empty if the process has ended, or may not
   * be inspected.
   */
  public static OptionalLong start(int process) {
    try {
      String stat =
          Files.readString(Path.of("/proc/" + process + "/stat"), StandardCharsets.ISO_8859_1);
      // Field 2, the name, can contain anything.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      long start = Long.parseUnsignedLong(fields[START]);
      return start == 0 ? OptionalLong.empty() : OptionalLong.of(start);
    } catch (IOException | IndexOutOfBoundsException | NumberFormatException e) {
      return OptionalLong.empty();
    }
  }
}
