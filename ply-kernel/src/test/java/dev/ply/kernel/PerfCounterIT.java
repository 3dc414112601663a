package dev.ply.kernel;

import static dev.ply.Values.pid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.diagnostic.CompilationException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the kernel counts of a process that the test starts, and what this machine does not. */
@Tag("live")
@Tag("oldest")
class PerfCounterIT {
  private KernelTracer tracer;

  @BeforeEach
  void open() {
    Live.assumeTracing();
    tracer = KernelTracer.open();
  }

  @AfterEach
  void close() {
    if (tracer != null) {
      tracer.close();
    }
  }

  @Test
  void pageFaultsAreCounted() throws Exception {
    Process child = new ProcessBuilder("sh", "-c", "read line; exec true").start();
    var faults = Probe.software("faults:1").where(pid().eq(child.pid())).count();
    try (Session session = tracer.start(faults)) {
      child.getOutputStream().write('\n');
      child.getOutputStream().close();
      assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
      session.stop();
      assertThat(session.read(faults).single()).isGreaterThan(10);
    } finally {
      child.destroyForcibly();
    }
  }

  @Test
  void aMachineWithoutCountersSaysSo() {
    assumeFalse(
        Files.exists(Path.of("/sys/bus/event_source/devices/cpu")),
        "this machine's processors have counters");
    assertThatThrownBy(() -> tracer.start(Probe.hardware("cycles").count()))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("this machine has no hardware counter for cpu-cycles");
  }
}
