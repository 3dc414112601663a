package dev.ply.examples.embed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.examples.embed.GcPauses.Pause;
import dev.ply.examples.embed.Opens.Open;
import dev.ply.kernel.KernelTracer;
import dev.ply.kernel.Live;
import dev.ply.table.FlameGraph;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The embedding programs on the running kernel, on what this JVM does itself. */
@Tag("live")
@Tag("runtime")
@Tag("any-kernel")
class EmbedIT {
  private static final int SELF = (int) ProcessHandle.current().pid();

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  @Test
  void filesOpenedHereAreRecords() {
    Path file = Path.of("/embed-" + SELF);
    try (var tracer = KernelTracer.open();
        var session = tracer.start(Opens.OPENS);
        var opens = session.stream(Opens.OPENS)) {
      assertThatThrownBy(() -> Files.newInputStream(file)).isInstanceOf(NoSuchFileException.class);
      Open open = opens.filter(one -> one.path().equals(file.toString())).findFirst().orElseThrow();
      assertThat(open.pid()).isEqualTo(SELF);
    }
  }

  @Test
  void readsHaveLatencies() throws Exception {
    try (var tracer = KernelTracer.open();
        var session =
            tracer.start(ReadLatencies.ENTRY, ReadLatencies.LATENCY, ReadLatencies.FORGET)) {
      for (int i = 0; i < 100; i++) {
        Files.readAllBytes(Path.of("/proc/self/status"));
      }
      session.stop();
      assertThat(session.read(ReadLatencies.LATENCY).rowsAs(ReadLatencies.Latency.class))
          .isNotEmpty()
          .allSatisfy(row -> assertThat(ReadLatencies.line(row)).contains(" ns: p50 "));
    }
  }

  @Test
  void thisJvmCallsTheKernel() throws Exception {
    List<Long> deltas = new ArrayList<>();
    try (var tracer = KernelTracer.open();
        var session = tracer.start(OwnSystemCalls.CALLS)) {
      session.every(
          Duration.ofHours(1),
          OwnSystemCalls.CALLS,
          delta -> delta.forEach(row -> deltas.add(row.value())));
      Files.readAllBytes(Path.of("/proc/self/status"));
      session.stop();
    }
    assertThat(deltas).singleElement().satisfies(calls -> assertThat(calls).isPositive());
  }

  @Test
  void busyFunctionsAreInTheProfile() throws Exception {
    try (var tracer = KernelTracer.open();
        var session = tracer.start(OwnProfile.SAMPLES)) {
      long sum = 0;
      // The first samples may be of another thread.
      do {
        for (int i = 0; i < 1_000_000; i++) {
          sum += Integer.toString(i).hashCode();
        }
      } while (session.read(OwnProfile.SAMPLES).isEmpty());
      assertThat(sum).isNotZero();
      session.stop();
      FlameGraph graph = FlameGraph.of(session.read(OwnProfile.SAMPLES));
      assertThat(graph.total()).isPositive();
      assertThat(graph.self()).isNotEmpty();
    } catch (CompilationException e) {
      skipOnly(e, Set.of(DiagnosticCode.NOT_OFFERED));
    }
  }

  @Test
  void collectionsHaveTheirDuration() {
    Instant start = Instant.now().minusSeconds(1);
    try (var tracer = KernelTracer.open();
        var session = tracer.start(GcPauses.BEGIN, GcPauses.PAUSES);
        var pauses = session.stream(GcPauses.PAUSES)) {
      System.gc();
      Pause pause = pauses.filter(one -> one.pid() == SELF).findFirst().orElseThrow();
      assertThat(pause.took()).isPositive();
      assertThat(pause.end()).isAfter(start);
    } catch (CompilationException e) {
      // A JVM that was built without USDT probes.
      skipOnly(e, Set.of(DiagnosticCode.UNKNOWN_BINARY, DiagnosticCode.UNKNOWN_FUNCTION));
    }
  }

  /**
   * Skips the test if that is all that is missing here; any other error of the trace is its
   * failure.
   */
  private static void skipOnly(CompilationException error, Set<DiagnosticCode> missing) {
    if (!error.diagnostics().stream().map(Diagnostic::code).allMatch(missing::contains)) {
      throw error;
    }
    assumeTrue(false, error.getMessage());
  }
}
