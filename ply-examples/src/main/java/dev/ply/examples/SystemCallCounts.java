package dev.ply.examples;

import static dev.ply.Values.comm;
import static dev.ply.value.StringValues.strcmp;

import dev.ply.AggregateProbe;
import dev.ply.Probe;

/** Counts dd's syscalls. The same as {@code scripts/system-call-counts.ply}. */
public final class SystemCallCounts {
  /** The number of calls, under the only key that passes the predicate. */
  public static final AggregateProbe<Long> CALLS =
      Probe.tracepoint("raw_syscalls:sys_enter")
          .where(strcmp(comm(), "dd").not())
          .by(comm())
          .count();

  private SystemCallCounts() {}

  /** Traces a command, such as {@code dd if=/dev/zero of=/dev/null bs=1 count=1000}. */
  public static void main(String... command) {
    Run.trace(command, CALLS);
  }
}
