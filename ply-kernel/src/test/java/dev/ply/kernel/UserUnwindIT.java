package dev.ply.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.ply.Session;
import dev.ply.ir.Script;
import dev.ply.kernel.unwind.RecordedStack;
import dev.ply.lang.PlyScript;
import dev.ply.result.Loss;
import dev.ply.table.Datum;
import dev.ply.target.UserSymbols;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs in the kernel find the frames that a process knows of itself. */
@Tag("live")
@Tag("any-kernel")
class UserUnwindIT {
  /** How often the functions are called before, to measure what a hit costs. */
  private static final String REPEATED = System.getProperty("harness.hits", "0");

  @TempDir private Path directory;

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-O2 -fomit-frame-pointer",
        "-O3 -fomit-frame-pointer -static",
      })
  void framesAreThoseThatTheProcessKnows(String options) throws IOException, InterruptedException {
    Optional<Path> program = RecordedStack.compile(directory, "gcc", List.of(options.split(" ")));
    assumeThat(program).as("gcc").isPresent();
    for (String how : List.of("plain", "signal")) {
      Process process = new ProcessBuilder(program.orElseThrow().toString(), how, REPEATED).start();
      try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
        assertThat(lines.readLine()).isEqualTo("ready");
        traced(program.orElseThrow(), process, lines, how);
      } finally {
        process.destroy();
      }
    }
  }

  private static void traced(Path program, Process process, BufferedReader lines, String how)
      throws IOException {
    List<List<Long>> stacks = new ArrayList<>();
    RecordedStack recorded;
    // By the PID: its tables are there before the first hit.
    Script script =
        PlyScript.parse(
            "uprobe:%s:record / pid == %d / { @[ustack] = count(); }"
                .formatted(program, process.pid()));
    try (KernelTracer tracer = KernelTracer.open();
        Session session = tracer.start(script)) {
      process.getOutputStream().close();
      recorded = RecordedStack.of(lines);
      session.stop();
      session.table("@").rows().forEach(row -> stacks.add(addresses(row.key().parts().get(0))));
      assertThat(session.lost(Loss.CUT_STACKS)).as(how).isZero();
    }
    assertThat(stacks).as(how).isNotEmpty();
    assertThat(stacks)
        .as(how)
        .anySatisfy(
            stack ->
                assertThat(stack.subList(1, stack.size()))
                    .startsWith(recorded.frames().toArray(Long[]::new)));
  }

  private static List<Long> addresses(Datum stack) {
    return ((Datum.UserStack) stack).frames().stream().map(UserSymbols.Frame::address).toList();
  }
}
