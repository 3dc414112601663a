package dev.ply.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTracer;
import org.junit.jupiter.api.Test;

/** How a trace of one's own is tested: say what happens in the kernel, look at the table. */
class FailingReadsTest {
  @Test
  void countsFailuresByCommandAndError() {
    try (var tracer = SimulatedTracer.create();
        var session = tracer.start(FailingReads.FAILURES)) {
      var read = Firing.tracepoint("syscalls:sys_exit_read").comm("cat");
      tracer.fire(read.field("ret", 4096));
      tracer.fire(read.field("ret", -21));
      tracer.fire(read.field("ret", -21));

      var failures = session.read(FailingReads.FAILURES);
      assertThat(failures.get("cat", -21)).contains(2L);
      assertThat(failures.size()).isEqualTo(1);
    }
  }
}
