package dev.ply.name;

import dev.ply.type.Numbered;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A signal, as most architectures number them: signal(7).
 *
 * <p>A component of this type takes a signal number, such as {@code field("sig")} of the tracepoint
 * {@code signal:signal_generate}.
 */
public enum Signal implements Numbered {
  /** No signal: kill(2) with 0 checks that a process exists. */
  NONE(0),
  /** Hangup of the terminal, or death of the controlling process. */
  SIGHUP(1),
  /** Interrupt from the keyboard. */
  SIGINT(2),
  /** Quit from the keyboard, with a core dump. */
  SIGQUIT(3),
  /** An illegal instruction. */
  SIGILL(4),
  /** A trace or breakpoint trap. */
  SIGTRAP(5),
  /** Abort of the process by itself. */
  SIGABRT(6),
  /** A bus error: memory that cannot be accessed as attempted. */
  SIGBUS(7),
  /** An erroneous arithmetic operation. */
  SIGFPE(8),
  /** Kill; cannot be caught, blocked or ignored. */
  SIGKILL(9),
  /** The first signal for the use of programs. */
  SIGUSR1(10),
  /** An invalid memory reference. */
  SIGSEGV(11),
  /** The second signal for the use of programs. */
  SIGUSR2(12),
  /** A write to a pipe or socket without reader. */
  SIGPIPE(13),
  /** A timer of alarm(2) has expired. */
  SIGALRM(14),
  /** Termination. */
  SIGTERM(15),
  /** A stack fault of a coprocessor; unused. */
  SIGSTKFLT(16),
  /** A child has stopped, continued or ended. */
  SIGCHLD(17),
  /** Continue if stopped. */
  SIGCONT(18),
  /** Stop; cannot be caught, blocked or ignored. */
  SIGSTOP(19),
  /** Stop from the keyboard. */
  SIGTSTP(20),
  /** A read of the terminal by a background process. */
  SIGTTIN(21),
  /** A write to the terminal by a background process. */
  SIGTTOU(22),
  /** Urgent data on a socket. */
  SIGURG(23),
  /** The limit of CPU time is exceeded. */
  SIGXCPU(24),
  /** The limit of the size of files is exceeded. */
  SIGXFSZ(25),
  /** The virtual timer of setitimer(2) has expired. */
  SIGVTALRM(26),
  /** The profiling timer of setitimer(2) has expired. */
  SIGPROF(27),
  /** The size of the terminal's window has changed. */
  SIGWINCH(28),
  /** Input or output is possible on a descriptor. Also {@code SIGPOLL}. */
  SIGIO(29),
  /** The power supply fails. */
  SIGPWR(30),
  /** A bad system call, or one that a seccomp filter traps. */
  SIGSYS(31),
  /** The first real-time signal for the use of programs. */
  SIGRTMIN(34),
  /** Real-time signal 1 after {@link #SIGRTMIN}. */
  SIGRTMIN_1(35),
  /** Real-time signal 2 after {@link #SIGRTMIN}. */
  SIGRTMIN_2(36),
  /** Real-time signal 3 after {@link #SIGRTMIN}. */
  SIGRTMIN_3(37),
  /** Real-time signal 4 after {@link #SIGRTMIN}. */
  SIGRTMIN_4(38),
  /** Real-time signal 5 after {@link #SIGRTMIN}. */
  SIGRTMIN_5(39),
  /** Real-time signal 6 after {@link #SIGRTMIN}. */
  SIGRTMIN_6(40),
  /** Real-time signal 7 after {@link #SIGRTMIN}. */
  SIGRTMIN_7(41),
  /** Real-time signal 8 after {@link #SIGRTMIN}. */
  SIGRTMIN_8(42),
  /** Real-time signal 9 after {@link #SIGRTMIN}. */
  SIGRTMIN_9(43),
  /** Real-time signal 10 after {@link #SIGRTMIN}. */
  SIGRTMIN_10(44),
  /** Real-time signal 11 after {@link #SIGRTMIN}. */
  SIGRTMIN_11(45),
  /** Real-time signal 12 after {@link #SIGRTMIN}. */
  SIGRTMIN_12(46),
  /** Real-time signal 13 after {@link #SIGRTMIN}. */
  SIGRTMIN_13(47),
  /** Real-time signal 14 after {@link #SIGRTMIN}. */
  SIGRTMIN_14(48),
  /** Real-time signal 15 after {@link #SIGRTMIN}. */
  SIGRTMIN_15(49),
  /** Real-time signal 16 after {@link #SIGRTMIN}. */
  SIGRTMIN_16(50),
  /** Real-time signal 17 after {@link #SIGRTMIN}. */
  SIGRTMIN_17(51),
  /** Real-time signal 18 after {@link #SIGRTMIN}. */
  SIGRTMIN_18(52),
  /** Real-time signal 19 after {@link #SIGRTMIN}. */
  SIGRTMIN_19(53),
  /** Real-time signal 20 after {@link #SIGRTMIN}. */
  SIGRTMIN_20(54),
  /** Real-time signal 21 after {@link #SIGRTMIN}. */
  SIGRTMIN_21(55),
  /** Real-time signal 22 after {@link #SIGRTMIN}. */
  SIGRTMIN_22(56),
  /** Real-time signal 23 after {@link #SIGRTMIN}. */
  SIGRTMIN_23(57),
  /** Real-time signal 24 after {@link #SIGRTMIN}. */
  SIGRTMIN_24(58),
  /** Real-time signal 25 after {@link #SIGRTMIN}. */
  SIGRTMIN_25(59),
  /** Real-time signal 26 after {@link #SIGRTMIN}. */
  SIGRTMIN_26(60),
  /** Real-time signal 27 after {@link #SIGRTMIN}. */
  SIGRTMIN_27(61),
  /** Real-time signal 28 after {@link #SIGRTMIN}. */
  SIGRTMIN_28(62),
  /** Real-time signal 29 after {@link #SIGRTMIN}. */
  SIGRTMIN_29(63),
  /** Real-time signal 30 after {@link #SIGRTMIN}. */
  SIGRTMIN_30(64),
  /** A number that is not a signal of programs. */
  UNKNOWN(-1);

  private static final Map<Integer, Signal> BY_NUMBER =
      Arrays.stream(values())
          .collect(Collectors.toMap(signal -> signal.number, Function.identity()));

  private final int number;

  Signal(int number) {
    this.number = number;
  }

  /**
   * {@return the signal of a number; {@link #UNKNOWN} if it is none of programs}
   *
   * @param number 1 to 31, 34 to 64; 0 for {@link #NONE}
   */
  public static Signal of(int number) {
    return BY_NUMBER.getOrDefault(number, UNKNOWN);
  }

  /**
   * {@return the name of a number as kill(1) writes it: {@code SIGKILL}, {@code SIGRTMIN+1}; the
   * number in decimal if it has none}
   *
   * @param number of any value
   */
  public static String nameOf(long number) {
    Signal signal = number > 0 && number <= SIGRTMIN_30.number ? of((int) number) : UNKNOWN;
    return signal == UNKNOWN ? Long.toString(number) : signal.name().replace('_', '+');
  }

  /** {@return the number; 0 for {@link #NONE}, -1 for {@link #UNKNOWN}} */
  @Override
  public long number() {
    return number;
  }
}
