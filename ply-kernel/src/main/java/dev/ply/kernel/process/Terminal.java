package dev.ply.kernel.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The controlling terminal of this process, if any. */
final class Terminal {
  /**
   * Fields of /proc/PID/stat after the name: process group, terminal, the terminal's foreground
   * group.
   */
  private static final int GROUP = 2;

  private static final int TERMINAL = 4;
  private static final int FOREGROUND = 5;

  private Terminal() {}

  /**
   * Returns whether this process can read from its terminal, and receives the signals of its keys.
   */
  static boolean isForeground() {
    try {
      return isForeground(
          Files.readString(Path.of("/proc/self/stat"), StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      return false;
    }
  }

  /** The same for any process, given its /proc/PID/stat. */
  static boolean isForeground(String stat) {
    List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1));
    return fields.size() > FOREGROUND
        && !fields.get(TERMINAL).equals("0")
        && fields.get(GROUP).equals(fields.get(FOREGROUND));
  }
}
