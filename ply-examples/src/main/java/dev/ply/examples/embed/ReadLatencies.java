package dev.ply.examples.embed;

import static dev.ply.Values.*;

import dev.ply.ActionProbe;
import dev.ply.AggregateProbe;
import dev.ply.Probe;
import dev.ply.Variable;
import dev.ply.kernel.KernelTracer;
import dev.ply.table.BucketHistogram;
import dev.ply.type.Escapes;
import java.time.Duration;

/** Prints percentiles of the latency of read(2) by command, after ten seconds. */
public final class ReadLatencies {
  record Latency(String comm, BucketHistogram nanos) {}

  private static final Variable BEGUN = variable("begun", tid());

  static final ActionProbe ENTRY = Probe.tracepoint("syscalls:sys_enter_read").set(BEGUN, nsecs());

  /** Limits of percentiles are an eighth of a power of two apart: 12 % at most. */
  static final AggregateProbe<BucketHistogram> LATENCY =
      Probe.tracepoint("syscalls:sys_exit_read")
          .where(BEGUN.isSet())
          .by(comm())
          .quantize(nsecs().minus(BEGUN), 3);

  static final ActionProbe FORGET = Probe.tracepoint("syscalls:sys_exit_read").unset(BEGUN);

  static String line(Latency row) {
    BucketHistogram nanos = row.nanos();
    String percentiles = " ns: p50 " + nanos.percentile(50) + ", p99 " + nanos.percentile(99);
    return Escapes.escape(row.comm()) + percentiles + ", max " + nanos.max();
  }

  /** Traces the running kernel. */
  public static void main(String... args) throws InterruptedException {
    try (var tracer = KernelTracer.open();
        var session = tracer.start(ENTRY, LATENCY, FORGET)) {
      session.await(Duration.ofSeconds(10));
      session.read(LATENCY).rowsAs(Latency.class).forEach(row -> System.out.println(line(row)));
    }
  }
}
