package dev.ply.kernel.error;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A program that the kernel's verifier does not accept; the message has the last lines of its log,
 * which name the instruction and the reason.
 */
public final class VerifierRejection extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int LINES = 3;

  /** kernel/bpf/verifier.c: its two limits, of instructions followed and of branches pending. */
  private static final Pattern GAVE_UP =
      Pattern.compile(
          "(?m)^(BPF program is too large\\. Processed|The sequence of \\d+ jumps is too complex)");

  private final Errno errno;
  private final String log;

  /** A rejection of that program, with the log of the kernel's verifier. */
  public VerifierRejection(String program, KernelException cause, String log) {
    super(
        "the kernel's verifier rejects program \""
            + program
            + "\" ("
            + cause.errno().message()
            + "): "
            + summary(log),
        cause);
    this.errno = cause.errno();
    this.log = log;
  }

  /** Returns the error that loading ended with. */
  public Errno errno() {
    return errno;
  }

  /** Returns all that the verifier wrote. */
  public String log() {
    return log;
  }

  /** Returns whether the verifier gave up, having found nothing wrong with the program so far. */
  public boolean isTooComplex() {
    return GAVE_UP.matcher(log).find();
  }

  /** Returns the last lines that say something about the program, not about the verifier's work. */
  static String summary(String log) {
    List<String> useful =
        log.lines()
            .map(String::stripTrailing)
            .filter(line -> !line.isBlank())
            .filter(line -> !line.startsWith("processed ") && !line.startsWith("verification time"))
            .filter(line -> !line.startsWith("stack depth"))
            .toList();
    return String.join(
        System.lineSeparator(), useful.subList(Math.max(0, useful.size() - LINES), useful.size()));
  }
}
