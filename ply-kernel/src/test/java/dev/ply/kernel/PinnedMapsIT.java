package dev.ply.kernel;

import static dev.ply.Values.field;
import static dev.ply.Values.number;
import static dev.ply.Values.pid;
import static dev.ply.Values.variable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.AggregateProbe;
import dev.ply.PreparedTrace;
import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.TraceOptions;
import dev.ply.result.AttachedSite;
import dev.ply.result.Loss;
import dev.ply.table.Datum;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Maps in a BPF filesystem: shared by processes, and kept after these were killed. */
@Tag("live")
@Tag("runtime")
@Timeout(300)
final class PinnedMapsIT {
  private static final long MARK = 0x5eed_2000L;

  @TempDir private Path mountPoint;
  private boolean isMounted;

  @BeforeEach
  void mount() throws Exception {
    Live.assumeTracing();
    isMounted =
        new ProcessBuilder("mount", "-t", "bpf", "bpf", mountPoint.toString()).start().waitFor()
            == 0;
    assumeTrue(isMounted, "this process may not mount a BPF filesystem");
  }

  @AfterEach
  void unmount() throws Exception {
    if (isMounted) {
      assertThat(new ProcessBuilder("umount", mountPoint.toString()).start().waitFor()).isZero();
    }
  }

  /** Counts the seeks of a process by offset. */
  static AggregateProbe<Long> seeksOf(long process) {
    return Probe.tracepoint("syscalls:sys_enter_lseek")
        .where(pid().eq(number(process)).and(field("offset").ge(MARK)))
        .by(field("offset"))
        .count();
  }

  private static AggregateProbe<Long> seeks() {
    return seeksOf(ProcessHandle.current().pid());
  }

  private KernelTracer tracer() {
    return tracer(mountPoint.resolve("ply/seeks"));
  }

  private static KernelTracer tracer(Path directory) {
    return KernelTracer.open(TraceOptions.DEFAULT.pinnedAt(directory));
  }

  @Test
  void aTraceContinuesAfterAnEarlierOneAndPinsCanBeRemoved() throws Exception {
    AggregateProbe<Long> seeks = seeks();
    try (KernelTracer tracer = tracer()) {
      try (Session session = tracer.start(seeks)) {
        seek(3);
        session.stop();
      }
      assertThat(mountPoint.resolve("ply/seeks/@")).exists();
      try (Session session = tracer.start(seeks)) {
        seek(4);
        assertThat(session.read(seeks).get(MARK)).contains(7L);
      }
      try (PreparedTrace trace = tracer.prepare(seeks)) {
        assertThat(trace.read(seeks).get(MARK)).contains(7L);
        tracer.unpin();
        assertThat(trace.read(seeks).get(MARK)).contains(7L);
      }
      assertThat(mountPoint.resolve("ply/seeks")).doesNotExist();
      try (PreparedTrace trace = tracer.prepare(seeks)) {
        assertThat(trace.read(seeks)).isEmpty();
      }
      tracer.unpin();
      tracer.unpin();
    }
  }

  @Test
  @Tag("any-kernel")
  void whatAKilledProcessCountedIsContinued() throws Exception {
    long self = ProcessHandle.current().pid();
    Process victim = start(mountPoint.resolve("ply/seeks"), self, "");
    AggregateProbe<Long> seeks = seeks();
    try (var output =
            new BufferedReader(
                new InputStreamReader(victim.getInputStream(), StandardCharsets.UTF_8));
        KernelTracer tracer = tracer()) {
      assertThat(output.readLine()).isEqualTo("tracing");
      try (PreparedTrace trace = tracer.prepare(seeks)) {
        seek(5);
        // While the other process traces.
        assertThat(trace.read(seeks).get(MARK)).contains(5L);
        victim.destroyForcibly().waitFor();
        seek(100);
        assertThat(trace.read(seeks).get(MARK)).contains(5L);
      }
      try (Session session = tracer.start(seeks)) {
        seek(2);
        assertThat(session.read(seeks).get(MARK)).contains(7L);
      }
      tracer.unpin();
    } finally {
      victim.destroyForcibly();
    }
  }

  private TraceOptions staying() {
    return TraceOptions.DEFAULT.pinnedAt(mountPoint.resolve("ply/attached")).stayingAttached();
  }

  @Test
  @Tag("any-kernel")
  void aTraceSurvivesItsProcessAndIsTakenUp() throws Exception {
    long self = ProcessHandle.current().pid();
    Process victim = start(staying().pins().orElseThrow(), self, "staying");
    AggregateProbe<Long> seeks = seeks();
    try (var output =
            new BufferedReader(
                new InputStreamReader(victim.getInputStream(), StandardCharsets.UTF_8));
        KernelTracer tracer = KernelTracer.open(staying())) {
      assertThat(output.readLine()).isEqualTo("tracing");
      seek(1);
      victim.destroyForcibly().waitFor();
      seek(5);
      try (Session session = tracer.start(seeks)) {
        assertThat(session.read(seeks).get(MARK)).contains(6L);
        assertThat(session.attachments())
            .extracting(AttachedSite::point)
            .containsExactly("tracepoint:syscalls:sys_enter_lseek");
        seek(2);
        assertThat(session.read(seeks).get(MARK)).contains(8L);
        session.stop();
        seek(100);
        assertThat(session.read(seeks).get(MARK)).contains(8L);
      }
      tracer.unpin();
      assertThat(mountPoint.resolve("ply/attached")).doesNotExist();
    } finally {
      victim.destroyForcibly();
    }
  }

  @Test
  void aClosedSessionStaysAttachedUntilItIsUnpinned() throws Exception {
    AggregateProbe<Long> seeks = seeks();
    var limit = variable("limit");
    var begin = Probe.begin().set(limit, number(1));
    try (KernelTracer tracer = KernelTracer.open(staying())) {
      try (Session session = tracer.start(begin, seeks)) {
        session.set(limit, 7);
      }
      seek(3);
      try (Session session = tracer.start(begin, seeks)) {
        assertThat(session.read(seeks).get(MARK)).contains(3L);
        // BEGIN has not run again.
        assertThat(((Datum.Int) session.read(limit).single()).value()).isEqualTo(7);
      }
      try (PreparedTrace trace = tracer.prepare(begin, seeks)) {
        seek(1);
        assertThat(trace.read(seeks).get(MARK)).contains(4L);
        tracer.unpin();
        seek(100);
        assertThat(trace.read(seeks).get(MARK)).contains(4L);
      }
    }
  }

  @Test
  void allKindsOfLinksStay() throws Exception {
    var raw = Probe.rawTracepoint("sys_enter").where(pid().eq(ownPid())).count();
    var named = Probe.tracepoint("raw_syscalls:sys_enter").where(pid().eq(ownPid())).count();
    var sampled = Probe.profile(99).where(pid().eq(ownPid())).count();
    try (KernelTracer tracer = KernelTracer.open(staying())) {
      tracer.start(raw, named, sampled).close();
      seek(10);
      try (Session session = tracer.start(raw, named, sampled)) {
        assertThat(session.read(raw).single()).isGreaterThanOrEqualTo(10);
        assertThat(session.read(named).single()).isGreaterThanOrEqualTo(10);
        assertThat(session.lost(Loss.MISSED_RUNS)).isZero();
        session.stop();
      }
      tracer.unpin();
    }
  }

  private static long ownPid() {
    return ProcessHandle.current().pid();
  }

  @Test
  void anotherProgramOnTheSameMapsIsAnotherTrace() {
    try (KernelTracer tracer = KernelTracer.open(staying())) {
      tracer.start(seeks()).close();
      assertThatIllegalStateException()
          .isThrownBy(() -> tracer.prepare(seeksOf(1)))
          .withMessageContaining("has the maps of another trace: there \"programs ");
      tracer.unpin();
    }
  }

  @Test
  void eventsThatNobodyReadsAreRefused() {
    var printed = Probe.tracepoint("syscalls:sys_enter_lseek").where(pid().eq(1)).print(pid());
    try (KernelTracer tracer = KernelTracer.open(staying())) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> tracer.prepare(printed))
          .withMessageContaining("collect in maps instead");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(TraceOptions.DEFAULT::stayingAttached)
        .withMessageContaining("pinnedAt(…) comes before stayingAttached()");
  }

  @Test
  void anotherTraceAndAnotherFilesystemAreRefused(@TempDir Path elsewhere) {
    AggregateProbe<Long> seeks = seeks();
    try (KernelTracer tracer = tracer()) {
      tracer.prepare(seeks).close();
      assertThatIllegalStateException()
          .isThrownBy(
              () -> tracer.prepare(Probe.tracepoint("syscalls:sys_enter_lseek").by(pid()).count()))
          .withMessageContaining("ply/seeks has the maps of another trace: there \"");
      tracer.unpin();
    }
    // Nothing can be created in the last one.
    for (Path other : List.of(elsewhere, elsewhere.resolve("a/b"), Path.of("/sys/ply/seeks"))) {
      try (KernelTracer tracer = tracer(other)) {
        assertThatThrownBy(() -> tracer.prepare(seeks))
            .isInstanceOf(UncheckedIOException.class)
            .hasMessageContaining(other + " is not on a BPF filesystem")
            .hasMessageContaining("mount -t bpf bpf /sys/fs/bpf");
        tracer.unpin();
      }
    }
    assertThat(elsewhere).isEmptyDirectory();
  }

  @Test
  void filesOfOthersAreLeftAlone() throws Exception {
    Path directory = mountPoint.resolve("ply/seeks");
    try (KernelTracer tracer = tracer()) {
      tracer.prepare(seeks()).close();
      Files.createDirectory(directory.resolve("others"));
      tracer.unpin();
      assertThat(directory.resolve("others")).exists();
      assertThat(directory.resolve("@")).doesNotExist();
    }
  }

  private static void seek(int times) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile("/dev/zero", "r")) {
      for (int i = 0; i < times; i++) {
        file.seek(MARK);
      }
    }
  }

  private static Process start(Path directory, long process, String mode) throws IOException {
    List<String> command =
        JavaProcess.command(Tracing.class, directory.toString(), Long.toString(process), mode);
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /**
   * A process that traces until it is killed: the directory of its maps, the process it traces, and
   * whether it stays attached.
   */
  static final class Tracing {
    private Tracing() {}

    public static void main(String... arguments) throws InterruptedException {
      TraceOptions pinned = TraceOptions.DEFAULT.pinnedAt(Path.of(arguments[0]));
      TraceOptions options = arguments[2].isEmpty() ? pinned : pinned.stayingAttached();
      try (KernelTracer tracer = KernelTracer.open(options);
          Session session = tracer.start(seeksOf(Long.parseLong(arguments[1])))) {
        System.out.println("tracing");
        Thread.currentThread().join();
        session.stop();
      }
    }
  }
}
