package dev.ply.probe;

import dev.ply.selector.InvalidSelectorException;
import java.util.Optional;

/**
 * Each time a thread runs again after it was off the CPU. The analyzer replaces it by clauses on
 * the scheduler's tracepoint.
 *
 * @param reason why threads leave the CPU
 */
public record OffCpuProbe(Reason reason) implements AttachPoint {
  /** How many threads can be off the CPU at once. Others are counted as lost. */
  public static final int MOST_THREADS = 1 << 15;

  /** Why a thread leaves the CPU. */
  public enum Reason {
    /** For any reason. */
    ANY(""),
    /** It waits: for a lock, input, a timer. */
    BLOCKED("blocked"),
    /** It could run on, but another thread runs. */
    PREEMPTED("preempted");

    private final String keyword;

    Reason(String keyword) {
      this.keyword = keyword;
    }

    /** {@return the rest of the definition; empty for any reason} */
    public String keyword() {
      return keyword;
    }
  }

  /**
   * Parses the reason in the syntax of scripts.
   *
   * @param text {@code blocked}, {@code preempted}, or nothing
   * @throws InvalidSelectorException if it is none of them
   */
  public static OffCpuProbe parse(String text) {
    for (Reason reason : Reason.values()) {
      if (reason.keyword.equals(text)) {
        return new OffCpuProbe(reason);
      }
    }
    throw new InvalidSelectorException(
        "\"" + text + "\" is no reason to leave the CPU",
        "write offcpu, offcpu:blocked or offcpu:preempted");
  }

  @Override
  public String definition() {
    return reason == Reason.ANY ? "offcpu" : "offcpu:" + reason.keyword;
  }

  @Override
  public Optional<Provider> provider() {
    return Optional.of(Provider.OFFCPU);
  }

  @Override
  public <R> R accept(Visitor<R> visitor) {
    return visitor.visit(this);
  }
}
