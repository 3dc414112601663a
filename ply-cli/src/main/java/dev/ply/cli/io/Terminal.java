package dev.ply.cli.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether somebody looks at the command. */
public enum Terminal {
  /** Standard output and standard error are a terminal. */
  SHOWN,
  /** Only standard output is one. */
  OUTPUT_ONLY,
  /** Standard output is read by a program, or written to a file. */
  NONE;

  private static final int INPUT = 0;
  private static final int OUTPUT = 1;
  private static final int ERRORS = 2;

  /** Returns what this process has. */
  public static Terminal ofThisProcess() {
    if (!isTerminal(OUTPUT)) {
      return NONE;
    }
    return isTerminal(ERRORS) ? SHOWN : OUTPUT_ONLY;
  }

  /** Returns whether the standard input of this process is a terminal, so that it can read keys. */
  public static boolean isInput() {
    return isTerminal(INPUT);
  }

  /** Returns whether a descriptor is a terminal; no native code is loaded for that. */
  private static boolean isTerminal(int descriptor) {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return target.startsWith("/dev/pts/")
          || target.startsWith("/dev/tty")
          || target.equals("/dev/console");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }
}
