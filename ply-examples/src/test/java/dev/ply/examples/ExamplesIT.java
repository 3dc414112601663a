package dev.ply.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.Session;
import dev.ply.kernel.KernelTracer;
import dev.ply.kernel.Live;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Examples and their scripts on the running kernel, side by side on one command. */
@Tag("live")
class ExamplesIT {
  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
  }

  @Test
  void countsEachSystemCallOfACommandOnce() throws Exception {
    try (KernelTracer tracer = KernelTracer.open();
        Session text = tracer.start(Scripts.parse("system-call-counts.ply"));
        Session fluent = tracer.start(SystemCallCounts.CALLS)) {
      dd(1, 1000);
      text.stop();
      fluent.stop();
      // A read and a write for each of the 1000 blocks, and what starting and ending takes.
      assertThat(fluent.read(SystemCallCounts.CALLS).single()).isBetween(2000L, 2200L);
      assertThat(fluent.tables()).isEqualTo(text.tables());
    }
  }

  @Test
  void seesEachReadOfACommandInItsBucket() throws Exception {
    assumeTrue(
        Files.exists(Path.of("/sys/bus/event_source/devices/kprobe")),
        "this kernel has no kprobes");
    try (KernelTracer tracer = KernelTracer.open();
        Session text = tracer.start(Scripts.parse("read-sizes.ply"));
        Session fluent = tracer.start(ReadSizes.SIZES)) {
      dd(10240, 100);
      text.stop();
      fluent.stop();
      assertThat(fluent.read(ReadSizes.SIZES).get("rdsz").orElseThrow().countOf(10240))
          .isEqualTo(100);
      assertThat(fluent.tables()).isEqualTo(text.tables());
    }
  }

  private static void dd(int blockSize, int count) throws IOException, InterruptedException {
    Process dd =
        new ProcessBuilder(
                "dd",
                "if=/dev/zero",
                "of=/dev/null",
                "bs=" + blockSize,
                "count=" + count,
                "status=none")
            .inheritIO()
            .start();
    assertThat(dd.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(dd.exitValue()).isZero();
  }
}
