package dev.ply.examples.embed;

import static dev.ply.Values.*;

import dev.ply.AggregateProbe;
import dev.ply.Probe;
import dev.ply.kernel.KernelTracer;
import dev.ply.table.Table;
import dev.ply.type.Escapes;
import java.time.Duration;

/** Prints the system calls of each command in the text format of Prometheus. */
public final class PrometheusText {
  record Calls(String comm, long count) {}

  static final AggregateProbe<Long> CALLS =
      Probe.tracepoint("raw_syscalls:sys_enter").by(comm()).count();

  static String exposition(Table<Long> calls) {
    StringBuilder text = new StringBuilder("# TYPE syscalls_total counter\n");
    for (Calls row : calls.rowsAs(Calls.class)) {
      String label = Escapes.escape(row.comm()).replace("\\", "\\\\").replace("\"", "\\\"");
      text.append("syscalls_total{comm=\"%s\"} %d%n".formatted(label, row.count()));
    }
    return text.toString();
  }

  /** Traces the running kernel. */
  public static void main(String... args) throws InterruptedException {
    try (var tracer = KernelTracer.open();
        var session = tracer.start(CALLS)) {
      session.await(Duration.ofSeconds(5));
      System.out.print(exposition(session.read(CALLS)));
    }
  }
}
