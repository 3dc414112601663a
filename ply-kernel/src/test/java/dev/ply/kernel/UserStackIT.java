package dev.ply.kernel;

import static dev.ply.Values.pid;
import static dev.ply.Values.ustack;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.TraceOptions;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.kernel.attach.LibraryCalls;
import dev.ply.lang.PlyScript;
import dev.ply.table.Datum;
import dev.ply.table.Row;
import dev.ply.target.JavaCode;
import dev.ply.target.SourceLine;
import dev.ply.target.UserSymbols.Frame;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Stack traces of processes that the test starts, and of its own. */
@Tag("live")
@Tag("runtime")
@Tag("any-kernel")
class UserStackIT {
  private static final long SELF = ProcessHandle.current().pid();
  private static final int SAMPLES = 50;

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

  private static List<String> names(Row<Long> row) {
    return names((Datum.UserStack) row.key().parts().get(0));
  }

  private static List<String> names(Datum.UserStack stack) {
    return stack.frames().stream().map(Frame::toString).toList();
  }

  /** What a trace of a Java process shows. */
  private record Shown(List<String> hottest, Optional<String> shortage) {}

  private Datum.UserStack hottest(BusyJava busy) throws InterruptedException {
    return samples(busy).stream()
        .max(Comparator.comparing(Row::value))
        .map(row -> (Datum.UserStack) row.key().parts().get(0))
        .orElseThrow();
  }

  private List<Row<Long>> samples(BusyJava busy) throws InterruptedException {
    var samples = Probe.profile(999).where(pid().eq(busy.pid())).by(ustack()).count();
    var all = Probe.profile(999).where(pid().eq(busy.pid())).count().named("all");
    try (Session session = tracer.start(samples, all)) {
      while (session.read(all).isEmpty() || session.read(all).single() < SAMPLES) {
        session.await(Duration.ofMillis(10));
      }
      session.stop();
      return session.read(samples).rows().stream()
          .filter(row -> row.key().parts().get(0) instanceof Datum.UserStack)
          .toList();
    }
  }

  private Shown sample(BusyJava busy, TraceOptions options) throws InterruptedException {
    var samples = Probe.profile(999).where(pid().eq(busy.pid())).by(ustack()).count();
    var all = Probe.profile(999).where(pid().eq(busy.pid())).count().named("all");
    try (KernelTracer own = KernelTracer.open(options);
        Session session = own.start(samples, all)) {
      while (session.read(all).isEmpty() || session.read(all).single() < SAMPLES) {
        session.await(Duration.ofMillis(10));
      }
      session.stop();
      Row<Long> hottest =
          session.read(samples).rows().stream()
              .filter(row -> row.key().parts().get(0) instanceof Datum.UserStack)
              .max(Comparator.comparing(Row::value))
              .orElseThrow();
      return new Shown(names(hottest), session.symbolShortage());
    }
  }

  private static void assumeJcmd() {
    assumeTrue(
        Files.isExecutable(Path.of(System.getProperty("java.home"), "bin/jcmd")),
        "this Java runtime has no jcmd to ask others for the names of their methods");
  }

  @Test
  @Timeout(300)
  void theHottestStackNamesItsJavaMethod() throws Exception {
    assumeJcmd();
    try (BusyJava busy = BusyJava.start("-XX:+PreserveFramePointer")) {
      Shown shown = sample(busy, TraceOptions.DEFAULT);
      assertThat(shown.hottest()).first().asString().contains("BusyJava.hottest");
      assertThat(shown.shortage()).isEmpty();
      assertThat(busy.hasWritten()).as("a thread dump").isFalse();
      assertThat(Path.of("/tmp/perf-" + busy.pid() + ".map")).doesNotExist();
    }
  }

  /** The first samples of a runtime come before it has published where its code is. */
  @Test
  @Timeout(300)
  void aRuntimeThatStartsWhileItIsTracedHasItsNames() throws Exception {
    String script =
        "profile:hz:999 / ppid == "
            + ProcessHandle.current().pid()
            + " / { @[pid, ustack] = count(); }";
    try (KernelTracer tracer = KernelTracer.open();
        Session session = tracer.start(PlyScript.parse(script))) {
      for (int i = 0; i < 4; i++) {
        try (BusyJava busy = BusyJava.start()) {
          long found = 0;
          for (int rounds = 0; rounds < 50 && found == 0; rounds++) {
            busy.collect();
            found = stacksOfHottest(session, busy.pid());
          }
          assertThat(found).as("runtime %d", i).isPositive();
        }
      }
    }
  }

  private static long stacksOfHottest(Session session, long process) {
    return session.table("@").rows().stream()
        .filter(row -> ((Datum.Int) row.key().parts().get(0)).value() == process)
        .map(row -> row.key().parts().get(1))
        // The first samples of a process may have no stack.
        .filter(Datum.UserStack.class::isInstance)
        .map(stack -> names((Datum.UserStack) stack))
        .filter(names -> names.stream().anyMatch(name -> name.contains("BusyJava.hottest")))
        .count();
  }

  @Test
  @Timeout(300)
  void aRuntimeWithATmpOfItsOwnIsAskedThere() throws Exception {
    assumeJcmd();
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/unshare")), "there is no unshare(1)");
    assumeFalse(
        System.getProperty("java.class.path").contains("/tmp/"), "the tests' classes are in /tmp");
    List<String> privately =
        List.of(
            "/usr/bin/unshare", "-m", "sh", "-c", "mount -t tmpfs none /tmp && exec \"$0\" \"$@\"");
    try (BusyJava busy = BusyJava.startWith(privately, "-XX:+PreserveFramePointer")) {
      Shown shown = sample(busy, TraceOptions.DEFAULT);
      assertThat(shown.hottest()).first().asString().contains("BusyJava.hottest");
      assertThat(busy.hasWritten()).as("a thread dump").isFalse();
    }
  }

  /** With -Xrs a runtime leaves SIGQUIT alone, but listens from its start. */
  @Test
  @Timeout(300)
  void aRuntimeThatListensGetsNoSignal() throws Exception {
    assumeJcmd();
    try (BusyJava busy = BusyJava.start("-XX:+PreserveFramePointer", "-Xrs")) {
      Shown shown = sample(busy, TraceOptions.DEFAULT);
      assertThat(shown.hottest()).first().asString().contains("BusyJava.hottest");
    }
  }

  @Test
  @Timeout(300)
  void whoWouldNotAnswerOrMayNotBeAskedIsReadAllTheSame() throws Exception {
    try (BusyJava deaf = BusyJava.start("-XX:+DisableAttachMechanism");
        BusyJava other = BusyJava.start()) {
      for (Shown shown :
          List.of(
              sample(deaf, TraceOptions.DEFAULT),
              sample(other, TraceOptions.DEFAULT.withoutPerfMaps()))) {
        assertThat(shown.hottest()).first().asString().contains("BusyJava.hottest");
        assertThat(shown.shortage()).isEmpty();
      }
      assertThat(deaf.hasWritten()).as("a thread dump").isFalse();
      assertThat(other.hasWritten()).as("a thread dump").isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "-Xint, INTERPRETED",
    "-XX:TieredStopAtLevel=1, C1",
    "-XX:-TieredCompilation, C2",
  })
  @Timeout(300)
  void framesTellTheirMethodTheirLineAndWhoMadeTheirCode(String option, JavaCode.Tier tier)
      throws Exception {
    JavaCode.Method caller =
        new JavaCode.Method(BusyJava.class.getName(), "callerOfHottest", "()J");
    try (BusyJava busy = BusyJava.start(option)) {
      Datum.UserStack hottest = hottest(busy);
      List<Frame> frames =
          hottest.frames().stream()
              .filter(frame -> frame.java().flatMap(JavaCode::method).isPresent())
              .toList();
      assertThat(frames.get(0).toString()).contains("BusyJava.hottest(long)");
      assertThat(frames.get(1).toString()).matches(".*BusyJava\\.\\w+\\(.*\\):\\d+.*");
      assertThat(frames.stream().map(frame -> frame.java().orElseThrow().tier())).contains(tier);
      assertThat(frames.stream().flatMap(frame -> frame.java().orElseThrow().method().stream()))
          .contains(caller)
          .last()
          .hasToString(BusyJava.class.getName() + ".main(java.lang.String[])");
    }
  }

  /** The bytecode that an interpreted method runs is in a register; its loop follows the caller. */
  @ParameterizedTest
  @MethodSource("dev.ply.kernel.WholeStackIT#kernels")
  @Timeout(300)
  void theInnermostInterpretedMethodHasItsLine(RunningKernel kernel) throws Exception {
    tracer.close();
    tracer = KernelTracer.open(kernel, CompilerOptions.DEFAULT);
    try (BusyJava busy = BusyJava.start("-Xint")) {
      Set<Integer> lines = new TreeSet<>();
      for (Row<Long> row : samples(busy)) {
        List<Frame> frames = ((Datum.UserStack) row.key().parts().get(0)).frames();
        if (frames.get(0).toString().contains("BusyJava.hottest(long)")) {
          lines.add(line(frames.get(0)) - line(frames.get(1)));
        }
      }
      assertThat(lines).isSubsetOf(5, 6, 7).hasSizeGreaterThan(1);
    }
  }

  private static int line(Frame frame) {
    return frame.location().line().map(SourceLine::line).orElse(0);
  }

  /** Names are looked up five times a second: more samples on a slow machine. */
  @Test
  @Timeout(300)
  void aRuntimeThatHasEndedHasItsNames() throws Exception {
    List<String> shown = List.of();
    for (long most = 500; most < 50_000 && shown.isEmpty(); most *= 4) {
      try (BusyJava busy = BusyJava.start()) {
        var samples = Probe.profile(999).where(pid().eq(busy.pid())).by(ustack()).count();
        var all = Probe.profile(999).where(pid().eq(busy.pid())).count().named("all");
        try (Session session = tracer.start(samples, all)) {
          while (session.read(all).isEmpty() || session.read(all).single() < most) {
            session.await(Duration.ofMillis(10));
          }
          busy.end();
          session.stop();
          shown =
              session.read(samples).rows().stream()
                  .filter(row -> row.key().parts().get(0) instanceof Datum.UserStack)
                  .flatMap(row -> names(row).stream())
                  .filter(name -> name.contains("BusyJava.hottest"))
                  .toList();
        }
      }
    }
    assertThat(shown).isNotEmpty();
  }

  @Test
  void aFunctionOfALibraryIsNamed() {
    assumeTrue(
        Files.exists(Path.of("/sys/bus/event_source/devices/uprobe")),
        "this kernel was built without CONFIG_UPROBE_EVENTS");
    var calls = Probe.uprobe("c", "getppid").where(pid().eq(SELF)).by(ustack()).count();
    try (Session session = tracer.start(calls)) {
      LibraryCalls.parents(10);
      session.stop();
      assertThat(session.read(calls).rows())
          .isNotEmpty()
          .allSatisfy(row -> assertThat(names(row)).first().isEqualTo("getppid"));
    }
  }

  /** Its first stack is told while it waits for a line, and read when it is gone. */
  @Test
  @Timeout(300)
  void whatHasEndedIsStillNamed() throws Exception {
    Live.assumeSharedLibraries();
    assumeTrue(
        Files.exists(Path.of("/sys/bus/event_source/devices/uprobe")),
        "this kernel was built without CONFIG_UPROBE_EVENTS");
    Process shell = new ProcessBuilder("sh", "-c", "read x; read y").start();
    var reads = Probe.uprobe("c", "read").where(pid().eq(shell.pid())).by(ustack()).count();
    try (Session session = tracer.start(reads)) {
      write(shell, "x\n");
      while (session.read(reads).isEmpty()) {
        session.await(Duration.ofMillis(10));
      }
      write(shell, "y\n");
      assertThat(shell.waitFor()).isZero();
      session.stop();
      assertThat(session.read(reads).rows())
          .isNotEmpty()
          .allSatisfy(row -> assertThat(names(row)).first().asString().contains("read"));
    } finally {
      shell.destroyForcibly();
    }
  }

  private static void write(Process process, String line) throws java.io.IOException {
    process.getOutputStream().write(line.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    process.getOutputStream().flush();
  }
}
