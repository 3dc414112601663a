package dev.ply.kernel;

import static dev.ply.Values.arg;
import static dev.ply.Values.pid;
import static dev.ply.Values.stack;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.diagnostic.CompilationException;
import dev.ply.kernel.tracefs.Tracefs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is left of a trace of which one place of many cannot be attached to. */
@Tag("live")
@Tag("once")
class AttachErrorIT {
  private static final long SELF = ProcessHandle.current().pid();
  private static final int NO_CPU = 4095;

  /** Perf events, each of its own, which are made ready before the one that is refused. */
  private static final Probe SWITCHES =
      Probe.tracepoint("sched:sched_*").where(pid().eq(SELF)).by(stack()).count().named("s");

  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
  }

  private static List<String> kernelObjects() {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors
          .map(AttachErrorIT::target)
          .filter(target -> target.matches("anon_inode:.*(bpf|perf).*"))
          .toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      // The one that the directory itself was read by.
      return "";
    }
  }

  private static void refused(String message, Probe... probes) {
    try (KernelTracer tracer = KernelTracer.open()) {
      assertThatThrownBy(() -> tracer.start(probes))
          .isInstanceOf(CompilationException.class)
          .hasMessageContaining(message);
      assertThat(kernelObjects()).isEmpty();
      try (Session session = tracer.start(SWITCHES)) {
        assertThat(session.attachments()).hasSizeGreaterThan(5);
        assertThat(kernelObjects()).hasSizeGreaterThan(5);
      }
      assertThat(kernelObjects()).isEmpty();
    }
  }

  @Test
  void whatWasMadeReadyBeforeIsGivenBack() {
    refused(
        "CPU " + NO_CPU + " of this machine is not online",
        SWITCHES,
        Probe.profile(NO_CPU, 99).count());
  }

  @Test
  void whatRunsAlreadyIsStopped() {
    refused(
        "\"arg9\" is not available in rawtracepoint:sys_enter",
        SWITCHES,
        Probe.rawTracepoint("sys_enter").by(arg(9)).count());
  }

  @Test
  void whatWasWrittenToTracefsIsRemoved() throws IOException {
    Path control = Tracefs.open().file("kprobe_events");
    assumeTrue(Files.exists(control), "this kernel was built without CONFIG_KPROBE_EVENTS");
    List<String> before = Files.readAllLines(control);
    refused(
        "CPU " + NO_CPU + " of this machine is not online",
        Probe.kretprobe("vfs_read", 8).where(pid().eq(SELF)).count().named("reads"),
        Probe.kretprobe("vfs_write", 8).where(pid().eq(SELF)).count().named("writes"),
        Probe.profile(NO_CPU, 99).count());
    assertThat(Files.readAllLines(control)).isEqualTo(before);
  }
}
