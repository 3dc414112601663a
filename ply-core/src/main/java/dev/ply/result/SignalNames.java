package dev.ply.result;

import java.util.List;

/** The names of signals, as most architectures number them. */
public final class SignalNames {
  /** From 1 on. */
  private static final List<String> NAMES =
      List.of(
          """
          HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT \
          STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS\
          """
              .split(" "));

  private static final int FIRST_REAL_TIME = 34;
  private static final int LAST = 64;

  private SignalNames() {}

  /** Returns the name of a signal, the number if it has none. */
  public static String of(long number) {
    if (number >= 1 && number <= NAMES.size()) {
      return "SIG" + NAMES.get((int) number - 1);
    }
    if (number == FIRST_REAL_TIME) {
      return "SIGRTMIN";
    }
    return number > FIRST_REAL_TIME && number <= LAST
        ? "SIGRTMIN+" + (number - FIRST_REAL_TIME)
        : Long.toString(number);
  }
}
