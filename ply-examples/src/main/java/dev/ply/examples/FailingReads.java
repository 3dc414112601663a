package dev.ply.examples;

import static dev.ply.Values.comm;
import static dev.ply.Values.field;

import dev.ply.AggregateProbe;
import dev.ply.Probe;

/** Which commands' read(2) fails. The same as {@code scripts/failing-reads.ply}. */
public final class FailingReads {
  /** The failures by command and error, a negative number as in errno(3). */
  public static final AggregateProbe<Long> FAILURES =
      Probe.tracepoint("syscalls:sys_exit_read")
          .where(field("ret").lt(0))
          .by(comm(), field("ret"))
          .count();

  private FailingReads() {}

  /** Traces everything while a command runs, or for a while. */
  public static void main(String... command) {
    Run.trace(command, FAILURES);
  }
}
