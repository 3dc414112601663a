package dev.ply.examples.embed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.examples.embed.ReadLatencies.Latency;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The unit test of a trace: no kernel, no privileges, no waiting. */
class ReadLatenciesTest {
  @Test
  void aReadTakesAsLongAsBetweenItsTracepoints() {
    try (var tracer = SimulatedTracer.create();
        var session =
            tracer.start(ReadLatencies.ENTRY, ReadLatencies.LATENCY, ReadLatencies.FORGET)) {
      var cat = Firing.tracepoint("syscalls:sys_enter_read").comm("cat").pid(7);
      tracer.fire(cat);
      tracer.advance(Duration.ofMillis(2));
      tracer.fire(Firing.tracepoint("syscalls:sys_exit_read").comm("cat").pid(7));
      // In flight when the trace started.
      tracer.fire(Firing.tracepoint("syscalls:sys_exit_read").comm("cat").pid(8));

      var latency = session.read(ReadLatencies.LATENCY).get("cat").orElseThrow();
      assertThat(latency.count()).isEqualTo(1);
      assertThat(latency.max().contains(2_000_000)).isTrue();
      assertThat(session.read(ReadLatencies.LATENCY).rowsAs(Latency.class))
          .extracting(ReadLatencies::line)
          .containsExactly(
              "cat ns: p50 1966080..2097151, p99 1966080..2097151, max 1966080..2097151");
    }
  }
}
