package dev.ply.kernel.error;

import dev.ply.name.Errno;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Thrown for a program that the kernel's verifier rejects; the message has the last lines of its
 * log, with instruction and reason.
 */
public final class VerifierRejection extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int LINES = 3;

  /**
   * The verifier's two complexity limits, of processed instructions and pending branches
   * (kernel/bpf/verifier.c).
   */
  private static final Pattern GAVE_UP =
      Pattern.compile(
          "(?m)^(BPF program is too large\\. Processed|The sequence of \\d+ jumps is too complex)");

  /** Helpers that lockdown and the kernel's configuration exclude for all programs. */
  private static final Pattern EXCLUDED =
      Pattern.compile(
          "(?:cannot use helper|unknown func) (bpf_(?:probe_write_user|override_return))\\b");

  private final Errno errno;
  private final String log;

  /**
   * Creates the exception with the verifier's log.
   *
   * @param program its name
   * @param cause the refusal without reasons
   * @param log of the kernel's verifier, as a whole
   */
  public VerifierRejection(String program, KernelException cause, String log) {
    super(
        "the kernel's verifier rejects program \""
            + program
            + "\" ("
            + cause.errno().clause()
            + "): "
            + summary(log),
        cause);
    this.errno = cause.errno();
    this.log = log;
  }

  /** {@return the error of the load} */
  public Errno errno() {
    return errno;
  }

  /** {@return the verifier's whole log} */
  public String log() {
    return log;
  }

  /** {@return whether the verifier reached a complexity limit, having found no error} */
  public boolean isTooComplex() {
    return GAVE_UP.matcher(log).find();
  }

  /** {@return the helper that this kernel offers to no program, if that is the reason} */
  public Optional<String> excludedHelper() {
    Matcher excluded = EXCLUDED.matcher(log);
    return excluded.find() ? Optional.of(excluded.group(1)) : Optional.empty();
  }

  /** Returns the last lines of the log about the program, without statistics. */
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
