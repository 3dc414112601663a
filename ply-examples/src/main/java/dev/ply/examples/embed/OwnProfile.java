package dev.ply.examples.embed;

import static dev.ply.Values.*;

import dev.ply.AggregateProbe;
import dev.ply.Probe;
import dev.ply.kernel.KernelTracer;
import dev.ply.table.FlameGraph;
import dev.ply.type.Escapes;
import java.time.Duration;

/** Prints in which functions this JVM spends its CPU time, methods compiled by the JIT included. */
public final class OwnProfile {
  static final AggregateProbe<Long> SAMPLES =
      Probe.profile(199)
          .where(pid().eq(ProcessHandle.current().pid()))
          .by(ustack(), stack())
          .count();

  /** Traces the running kernel. */
  public static void main(String... args) throws InterruptedException {
    try (var tracer = KernelTracer.open();
        var session = tracer.start(SAMPLES)) {
      session.await(Duration.ofSeconds(10));
      FlameGraph hot = FlameGraph.of(session.read(SAMPLES));
      hot.self().forEach((name, count) -> System.out.println(count + " " + Escapes.escape(name)));
    }
  }
}
