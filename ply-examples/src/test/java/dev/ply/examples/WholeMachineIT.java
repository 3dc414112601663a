package dev.ply.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Session;
import dev.ply.kernel.KernelTracer;
import dev.ply.result.Loss;
import dev.ply.table.Histogram;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The examples that look at every process, where all processes are the test's. */
@Tag("live")
@Tag("oldest")
@EnabledIfSystemProperty(
    named = "ply.guest",
    matches = ".+",
    disabledReason = "looks at all processes, so it runs in a guest only: ply-kernel/guest/run")
class WholeMachineIT {
  private final KernelTracer tracer = KernelTracer.open();

  @AfterEach
  void close() {
    tracer.close();
  }

  @Test
  void timesEachReadOfACommand() throws Exception {
    try (Session session =
        tracer.start(ReadLatency.ENTRY, ReadLatency.LATENCY, ReadLatency.FORGET)) {
      run(0, "dd", "if=/dev/zero", "of=/dev/null", "bs=10240", "count=100", "status=none");
      session.stop();
      Histogram times = session.read(ReadLatency.LATENCY).get("dd").orElseThrow();
      assertThat(times.count()).isBetween(100L, 200L);
      assertThat(times.negative()).isZero();
    }
  }

  @Test
  void showsWhoOpensAFile() throws Exception {
    List<String> shown = Collections.synchronizedList(new ArrayList<>());
    try (Session session = tracer.prepare(OpenSnoop.OPENS).printTo(shown::add).start()) {
      long pid = run(0, "cat", "/etc/hosts");
      session.stop();
      assertThat(shown).contains("%-7d %-16s %s\n".formatted(pid, "cat", "/etc/hosts"));
      assertThat(session.lost(Loss.EVENTS)).isZero();
    }
  }

  @Test
  void countsTheFailingReadOfADirectory() throws Exception {
    try (Session session = tracer.start(FailingReads.FAILURES)) {
      run(1, "cat", "/etc");
      session.stop();
      assertThat(session.read(FailingReads.FAILURES).get("cat", -21)).contains(1L);
    }
  }

  /** Runs a command to its end and returns its process id. */
  private static long run(int status, String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(status);
    return process.pid();
  }
}
