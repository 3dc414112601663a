package dev.ply.kernel;

import static dev.ply.Values.arg;
import static dev.ply.Values.comm;
import static dev.ply.Values.field;
import static dev.ply.Values.pid;
import static dev.ply.Values.retval;
import static dev.ply.Values.str;
import static dev.ply.Values.text;
import static dev.ply.Values.tid;
import static dev.ply.Values.time;
import static dev.ply.Values.variable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.diagnostic.CompilationException;
import dev.ply.result.Loss;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces of processes that the test itself starts, or of the test. */
@Tag("live")
@Tag("runtime")
class KernelTracerIT {
  private static final long SELF = ProcessHandle.current().pid();

  /** A dd whose name no other process has, so that what others do is not counted with it. */
  private static final String DD = "dd-" + SELF;

  @TempDir private static Path directory = Path.of("");

  private KernelTracer tracer;
  private final List<String> printed = Collections.synchronizedList(new ArrayList<>());

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

  @BeforeAll
  static void nameDd() throws IOException {
    Path real =
        Stream.of("/usr/bin/dd", "/bin/dd")
            .map(Path::of)
            .filter(Files::exists)
            .findFirst()
            .orElseThrow();
    Files.createSymbolicLink(directory.resolve(DD), real);
  }

  private static void dd(int blockSize, int count) throws IOException, InterruptedException {
    Process dd =
        new ProcessBuilder(
                directory.resolve(DD).toString(),
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

  @Test
  @Tag("oldest")
  void countsSystemCallsExactly() throws Exception {
    var reads =
        Probe.tracepoint("syscalls:sys_enter_read")
            .where(comm().eq(DD).and(field("count").eq(1)))
            .by(comm())
            .count();
    try (Session session = tracer.start(reads)) {
      dd(1, 1000);
      session.stop();
      assertThat(session.read(reads).get(DD)).contains(1000L);
      assertThat(session.read(reads).size()).isEqualTo(1);
    }
  }

  @Test
  @Tag("oldest")
  void aPatternIsAttachedToEachOfItsTracepoints() throws Exception {
    var exits =
        Probe.tracepoint("sys[ck]alls:sys_exit_@(read|write)")
            .where(comm().eq(DD).and(field("ret").eq(1)))
            .by(field("common_type"), field("common_pid").eq(tid()))
            .count();
    try (Session session = tracer.start(exits)) {
      dd(1, 1000);
      session.stop();
      assertThat(session.notes()).isEmpty();
      assertThat(session.read(exits).get(eventNumber("sys_exit_read"), 1L)).contains(1000L);
      assertThat(session.read(exits).get(eventNumber("sys_exit_write"), 1L)).contains(1000L);
      assertThat(session.read(exits).size()).isEqualTo(2);
    }
  }

  private static long eventNumber(String event) {
    return new RunningKernel().tracepoints().id("syscalls", event).orElseThrow();
  }

  /** What runs after a stop is not seen, whatever is still to be given back. */
  @Test
  @Tag("oldest")
  void manyTracepointsAreSilentAfterAStop() throws Exception {
    var calls = Probe.tracepoint("syscalls:sys_enter_[r-w]*").where(pid().eq(SELF)).count();
    try (Session session = tracer.start(calls)) {
      session.stop();
      long counted = session.read(calls).single();
      dd(1, 10);
      assertThat(session.read(calls).single()).isEqualTo(counted);
    }
  }

  @Test
  @Tag("oldest")
  void sumsAndQuantizesFields() throws Exception {
    var dd = comm().eq(DD).and(field("count").eq(4096));
    var sum = Probe.tracepoint("syscalls:sys_enter_write").where(dd).sum(field("count"));
    var sizes =
        Probe.tracepoint("syscalls:sys_enter_write")
            .where(dd)
            .quantize(field("count"))
            .named("sizes");
    try (Session session = tracer.start(sum, sizes)) {
      dd(4096, 100);
      session.stop();
      assertThat(session.read(sum).single()).isEqualTo(409_600);
      assertThat(session.read(sizes).single().countOf(4096)).isEqualTo(100);
      assertThat(session.read(sizes).single().count()).isEqualTo(100);
    }
  }

  @Test
  @Tag("oldest")
  void printsStringsFromUserSpace() throws Exception {
    Path file = Files.createTempFile("ply", ".opened");
    var opens =
        Probe.tracepoint("syscalls:sys_enter_openat")
            .where(pid().eq(SELF))
            .printf("%d %s\n", pid(), str(field("filename")));
    try (Session session = tracer.prepare(opens).printTo(printed::add).start()) {
      Files.readAllBytes(file);
      session.stop();
      assertThat(printed).contains(SELF + " " + file + "\n");
      assertThat(session.lost(Loss.EVENTS)).isZero();
    } finally {
      Files.delete(file);
    }
  }

  @Test
  @Tag("oldest")
  void runsBeginThenIntervalsThenEnd() throws Exception {
    var ticks = variable("ticks", text("t"));
    try (Session session =
        tracer
            .prepare(
                Probe.begin().print(text("begin")),
                Probe.interval(Duration.ofMillis(20)).set(ticks, ticks.plus(1)),
                Probe.interval(Duration.ofMillis(20)).where(ticks.eq(3)).exit(7),
                Probe.end().print(text("end")))
            .printTo(printed::add)
            .start()) {
      assertThat(session.await(Duration.ofSeconds(30))).isTrue();
      session.stop();
      assertThat(session.exitStatus()).hasValue(7);
      assertThat(printed).containsExactly("begin\n", "end\n");
    }
  }

  @Test
  @Tag("oldest")
  void tellsAPrinterThatItCannotStopItsOwnSession() throws Exception {
    var ticks = Probe.interval(Duration.ofMillis(10)).print(text("tick"));
    var self = new AtomicReference<Session>();
    try (Session session =
        tracer
            .prepare(ticks)
            .printTo(line -> Optional.ofNullable(self.get()).ifPresent(Session::stop))
            .start()) {
      self.set(session);
      assertThatThrownBy(() -> session.await(Duration.ofSeconds(30)))
          .isInstanceOf(IllegalStateException.class)
          .cause()
          .hasMessageContaining("cannot stop it");
    }
  }

  @Test
  @Tag("oldest")
  void closingEndsAWait() throws Exception {
    var ticks = Probe.interval(Duration.ofMillis(10)).print(text("tick"));
    Session session = tracer.prepare(ticks).printTo(printed::add).start();
    CompletableFuture<Boolean> wait = CompletableFuture.supplyAsync(() -> waited(session));
    session.close();
    assertThat(wait.get(30, TimeUnit.SECONDS)).isTrue();
  }

  private static boolean waited(Session session) {
    try {
      return session.await(Duration.ofMinutes(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Test
  @Tag("oldest")
  void losesNoCountWhenAllProcessorsHammerOneKey() throws Exception {
    // An emulated machine takes a minute for a million.
    int perThread = System.getProperty("ply.guest") == null ? 1_000_000 : 100_000;
    var calls =
        Probe.tracepoint("syscalls:sys_enter_lseek")
            .where(pid().eq(SELF).and(field("offset").eq(0x5eed)))
            .by(text("key"))
            .count();
    try (Session session = tracer.start(calls)) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        threads.add(new Thread(() -> seek(perThread)));
      }
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
      session.stop();
      assertThat(session.read(calls).get("key")).contains(2L * perThread);
    }
  }

  private static void seek(int times) {
    try (var file = new java.io.RandomAccessFile("/dev/zero", "r")) {
      for (int i = 0; i < times; i++) {
        file.seek(0x5eed);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  @Tag("once")
  void quantizesWhatAFunctionReturns() throws Exception {
    assumeKprobes();
    var sizes =
        Probe.kretprobe("vfs_read").where(comm().eq(DD)).by(text("rdsz")).quantize(retval());
    try (Session session = tracer.start(sizes)) {
      dd(10240, 100);
      session.stop();
      assertThat(session.read(sizes).get("rdsz").orElseThrow().countOf(10240)).isEqualTo(100);
    }
  }

  @Test
  @Tag("once")
  void measuresTheTimeBetweenTwoProbes() throws Exception {
    assumeKprobes();
    var begun = variable("begun", tid());
    var entry =
        Probe.kprobe("vfs_read").where(comm().eq(DD).and(arg(2).eq(10240))).set(begun, time());
    var latency =
        Probe.kretprobe("vfs_read").where(begun.isSet()).by(comm()).quantize(time().minus(begun));
    var forget = Probe.kretprobe("vfs_read").unset(begun);
    try (Session session = tracer.start(entry, latency, forget)) {
      dd(10240, 100);
      session.stop();
      assertThat(session.read(latency).get(DD).orElseThrow().count()).isEqualTo(100);
    }
  }

  @Test
  @Tag("once")
  void namesTheFunctionThatWasMeant() {
    assumeKprobes();
    var probe = Probe.kprobe("vfs_raed").count();
    assertThatThrownBy(() -> tracer.start(probe))
        .isInstanceOf(CompilationException.class)
        .satisfies(
            e ->
                assertThat(((CompilationException) e).diagnostics().get(0).hints())
                    .containsExactly("did you mean \"vfs_read\"?"));
  }

  @Test
  void saysThatTheKernelHasNoKprobes() {
    assumeTrue(!hasKprobes(), "this kernel has kprobes");
    var probe = Probe.kprobe("vfs_read").count();
    assertThatThrownBy(() -> tracer.start(probe))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("kprobe:vfs_read cannot be attached");
  }

  private static void assumeKprobes() {
    assumeTrue(hasKprobes(), "this kernel has no kprobes");
  }

  private static boolean hasKprobes() {
    return Files.exists(Path.of("/sys/bus/event_source/devices/kprobe"));
  }
}
