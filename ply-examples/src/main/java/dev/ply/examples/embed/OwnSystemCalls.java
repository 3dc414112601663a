package dev.ply.examples.embed;

import static dev.ply.Values.*;

import dev.ply.AggregateProbe;
import dev.ply.Probe;
import dev.ply.kernel.KernelTracer;
import java.time.Duration;

/** Prints the number of system calls of this JVM, each second for ten seconds. */
public final class OwnSystemCalls {
  static final AggregateProbe<Long> CALLS =
      Probe.tracepoint("raw_syscalls:sys_enter")
          .where(pid().eq(ProcessHandle.current().pid()))
          .count();

  /** Traces the running kernel. */
  public static void main(String... args) throws InterruptedException {
    try (var tracer = KernelTracer.open();
        var session = tracer.start(CALLS)) {
      session.every(
          Duration.ofSeconds(1),
          CALLS,
          delta -> System.out.println(delta.get().orElse(0L) + " calls a second"));
      session.await(Duration.ofSeconds(10));
    }
  }
}
