package dev.ply.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.ply.Session;
import dev.ply.lang.PlyScript;
import dev.ply.result.Loss;
import dev.ply.table.Datum;
import dev.ply.target.UserSymbols.Frame;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stacks through the library that the kernel maps into processes. */
@Tag("live")
@Tag("any-kernel")
@Tag("any-java")
class VdsoIT {
  private static final int SAMPLES = 1_000;
  private static final Duration MOMENT = Duration.ofMillis(50);

  @TempDir private Path directory;

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  private interface Traced {
    void by(KernelTracer tracer, long process) throws InterruptedException;
  }

  private void run(List<String> arguments, Traced traced) throws IOException, InterruptedException {
    Optional<Path> program =
        CompiledC.compile(directory, "clock.c", "gcc", List.of("-O2", "-fomit-frame-pointer"));
    assumeThat(program).as("gcc").isPresent();
    List<String> command = new ArrayList<>(List.of(program.orElseThrow().toString()));
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).start();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        KernelTracer tracer = KernelTracer.open()) {
      assertThat(lines.readLine()).isEqualTo("ready");
      traced.by(tracer, process.pid());
    } finally {
      process.destroyForcibly();
    }
  }

  private static List<List<Frame>> stacks(Session session) {
    List<List<Frame>> stacks = new ArrayList<>();
    session
        .table("@")
        .rows()
        .forEach(row -> stacks.add(((Datum.UserStack) row.key().parts().get(0)).frames()));
    return stacks;
  }

  private static long samples(Session session) {
    return session.table("@").rows().stream()
        .mapToLong(row -> ((Datum.Int) row.value()).value())
        .sum();
  }

  private static boolean isInVdso(Frame frame) {
    return frame.binary().orElse("").equals("[vdso]");
  }

  /** At any of its instructions, where few set the frame pointer. */
  @Test
  void samplesAreWhole() throws IOException, InterruptedException {
    run(
        List.of(),
        (tracer, process) -> {
          try (Session session =
              tracer.start(
                  PlyScript.parse(
                      "profile:hz:999 / pid == " + process + " / { @[ustack] = count(); }"))) {
            while (samples(session) < SAMPLES) {
              session.await(MOMENT);
            }
            session.stop();
            assertThat(stacks(session)).anyMatch(stack -> isInVdso(stack.get(0)));
            assertThat(session.lost(Loss.CUT_STACKS)).isZero();
          }
        });
  }

  @Test
  void functionsHaveNames() throws IOException, InterruptedException {
    run(
        List.of("system-call"),
        (tracer, process) -> {
          try (Session session =
              tracer.start(
                  PlyScript.parse(
                      "tracepoint:syscalls:sys_enter_clock_gettime / pid == "
                          + process
                          + " / { @[ustack] = count(); }"))) {
            while (samples(session) == 0) {
              session.await(MOMENT);
            }
            session.stop();
            assertThat(stacks(session))
                .allSatisfy(
                    stack -> {
                      Frame inner = stack.get(0);
                      assertThat(inner).matches(VdsoIT::isInVdso);
                      assertThat(inner.symbol().orElseThrow().name()).endsWith("clock_gettime");
                      assertThat(stack).anyMatch(frame -> isIn(frame, "ask"));
                    });
          }
        });
  }

  private static boolean isIn(Frame frame, String function) {
    return frame.symbol().filter(symbol -> symbol.name().equals(function)).isPresent();
  }
}
