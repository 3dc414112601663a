package dev.ply.cli.io;

/** The exit status of the command. */
public final class ExitCode {
  /** Success: the trace ended, a dry run found no error, help was printed. */
  public static final int OK = 0;

  /** Failure: invalid options or script, lost events or updates, a failed self-test. */
  public static final int FAILURE = 1;

  /** A shell's exit status if its command cannot be executed. */
  public static final int NOT_EXECUTABLE = 126;

  /** A shell's exit status if its command is not found. */
  public static final int NOT_FOUND = 127;

  /** The base of exit statuses for signals, as in shells. */
  private static final int SIGNALLED = 128;

  private ExitCode() {}

  /** Returns the status for a script's {@code exit(value)}: the low 8 bits. */
  public static int ofScript(int value) {
    return value & 0xff;
  }

  /** Returns the status of a process killed by a signal. */
  public static int ofSignal(int number) {
    return SIGNALLED + number;
  }
}
