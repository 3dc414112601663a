package dev.ply.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.ply.Session;
import dev.ply.lang.PlyScript;
import dev.ply.result.Loss;
import dev.ply.table.Datum;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The time that a program waits in its functions, as it measures it itself. */
@Tag("live")
@Tag("any-kernel")
class OffCpuIT {
  @TempDir private Path directory;

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  @Test
  void waitsHaveTheStackOfTheFunctionThatWaits() throws Exception {
    Process waiting = new ProcessBuilder(program().toString()).start();
    try {
      List<String> waits = Collections.synchronizedList(new ArrayList<>());
      // With a kernel stack by the tracepoint's record, without one by its arguments.
      String script =
          """
          offcpu:blocked / pid == %1$d && comm == "waits" / { printf("%%d %%s", latency, ustack); }
          offcpu:blocked / pid == %1$d && comm == "waits" / { @[kstack] = sum(latency); }
          """
              .formatted(waiting.pid());
      long inKernel;
      String[] measured;
      try (KernelTracer tracer = KernelTracer.open();
          Session session = tracer.prepare(PlyScript.parse(script)).printTo(waits::add).start()) {
        waiting.getOutputStream().write('\n');
        waiting.getOutputStream().close();
        measured =
            new String(waiting.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .strip()
                .split(" ", -1);
        session.stop();
        inKernel =
            session.table("@").rows().stream()
                .mapToLong(row -> ((Datum.Int) row.value()).value())
                .sum();
        assertThat(session.lost(Loss.UPDATES)).isZero();
      }
      assertShare(inKernel, Long.parseLong(measured[0]) + Long.parseLong(measured[1]));
      assertShare(total(waits, "sleeps"), Long.parseLong(measured[0]));
      assertShare(total(waits, "polls"), Long.parseLong(measured[1]));
    } finally {
      waiting.destroyForcibly();
    }
  }

  /** The function's own time on the CPU is the rest. */
  private static void assertShare(long waited, long measured) {
    assertThat(waited).isBetween(measured * 95 / 100, measured);
  }

  private static long total(List<String> waits, String function) {
    return waits.stream()
        .filter(wait -> wait.contains("\t" + function + "+"))
        .mapToLong(wait -> Long.parseLong(wait.substring(0, wait.indexOf(' '))))
        .sum();
  }

  private Path program() throws IOException, InterruptedException {
    Path source = directory.resolve("waits.c");
    try (InputStream text =
        Objects.requireNonNull(OffCpuIT.class.getResourceAsStream("/offcpu/waits.c"))) {
      Files.copy(text, source);
    }
    Path program = directory.resolve("waits");
    Process compiler;
    try {
      compiler =
          new ProcessBuilder("gcc", "-O1", "-o", program.toString(), source.toString())
              .inheritIO()
              .start();
    } catch (IOException e) {
      assumeThat(false).as("gcc").isTrue();
      throw e;
    }
    assertThat(compiler.waitFor()).isZero();
    return program;
  }
}
