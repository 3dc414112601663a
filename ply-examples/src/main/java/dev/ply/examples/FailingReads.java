package dev.ply.examples;

import static dev.ply.Values.comm;
import static dev.ply.Values.field;

import dev.ply.AggregateProbe;
import dev.ply.Probe;

/** Failing read(2) calls by command. The same as {@code scripts/failing-reads.ply}. */
public final class FailingReads {
  /** Failures by command and errno (negative). */
  public static final AggregateProbe<Long> FAILURES =
      Probe.tracepoint("syscalls:sys_exit_read")
          .where(field("ret").lt(0))
          .by(comm(), field("ret"))
          .count();

  private FailingReads() {}

  /** Traces the machine while a command runs, or for a while. */
  public static void main(String... command) {
    Run.trace(command, FAILURES);
  }
}
