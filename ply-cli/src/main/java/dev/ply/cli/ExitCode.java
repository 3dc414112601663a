package dev.ply.cli;

/** The status with which the command ends. */
final class ExitCode {
  /** All went well: the trace ended, a dry run found no fault, the help was shown. */
  static final int OK = 0;

  /** Wrong options, a script that cannot run, lost events or updates, a failed self-test. */
  static final int FAILURE = 1;

  /** What shells add to a signal's number to say that the signal ended a process. */
  private static final int SIGNALLED = 128;

  private ExitCode() {}

  /** Returns what is left of a script's {@code exit(value)}: the low 8 bits. */
  static int ofScript(int value) {
    return value & 0xff;
  }

  /** Returns the status of a process that this signal ended. */
  static int ofSignal(int number) {
    return SIGNALLED + number;
  }
}
