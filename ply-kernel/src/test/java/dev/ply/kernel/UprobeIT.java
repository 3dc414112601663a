package dev.ply.kernel;

import static dev.ply.Values.arg;
import static dev.ply.Values.comm;
import static dev.ply.Values.entry;
import static dev.ply.Values.pid;
import static dev.ply.Values.retval;
import static dev.ply.Values.str;
import static dev.ply.value.ProbeValues.regs;
import static dev.ply.value.SymbolValues.uaddr;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.diagnostic.CompilationException;
import dev.ply.kernel.attach.LibraryCalls;
import dev.ply.kernel.untrusted.FileMemory;
import dev.ply.kernel.untrusted.MemoryBudget;
import dev.ply.kernel.user.UserBinaries;
import dev.ply.machine.Architecture;
import dev.ply.result.AttachedSite;
import dev.ply.result.Loss;
import dev.ply.selector.UserSelector;
import dev.ply.target.UserLocation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Functions of the C library, called by this process and one that it starts. */
@Tag("live")
@Tag("oldest")
class UprobeIT {
  private static final long SELF = ProcessHandle.current().pid();
  private static final int CALLS = 1000;

  private KernelTracer tracer;
  private final List<String> printed = Collections.synchronizedList(new ArrayList<>());

  @BeforeEach
  void open() {
    Live.assumeTracing();
    assumeTrue(
        Files.exists(Path.of("/sys/bus/event_source/devices/uprobe")),
        "this kernel was built without CONFIG_UPROBE_EVENTS");
    tracer = KernelTracer.open();
  }

  @AfterEach
  void close() {
    if (tracer != null) {
      tracer.close();
    }
  }

  @Test
  void everyCallIsCounted() {
    var calls = Probe.uprobe("c", "getppid").where(pid().eq(SELF)).count();
    try (Session session = tracer.start(calls)) {
      LibraryCalls.parents(CALLS);
      session.stop();
      LibraryCalls.parents(CALLS);
      assertThat(session.read(calls).single()).isEqualTo(CALLS);
    }
  }

  @Test
  void entryAndReturnSeeArgumentAndResult() {
    var names = Probe.uprobe("c", "getenv").where(pid().eq(SELF)).by(str(arg(0))).count();
    var found = Probe.uretprobe("c", "getenv").where(pid().eq(SELF)).print(retval().ne(0));
    try (Session session = tracer.prepare(names, found).printTo(printed::add).start()) {
      assertThat(LibraryCalls.getenv("PLY_NO_SUCH_VARIABLE")).isZero();
      session.stop();
      assertThat(session.read(names).get("PLY_NO_SUCH_VARIABLE")).contains(1L);
      assertThat(printed).isNotEmpty().contains("0\n");
    }
  }

  @Test
  void extremesSurviveInterruptions() {
    long parent = ProcessHandle.current().parent().orElseThrow().pid();
    var returned = Probe.uretprobe("c", "getppid").where(pid().eq(SELF));
    var least = returned.by(pid()).min(retval());
    var most = returned.max(retval());
    try (Session session = tracer.start(least, most)) {
      LibraryCalls.parents(CALLS);
      session.stop();
      assertThat(session.take(most).single()).isEqualTo(parent);
      assertThat(session.read(most).isEmpty()).isTrue();
      assertThat(session.read(least).get(SELF)).contains(parent);
    }
  }

  /**
   * glob calls itself for the components before the last: 70 deep, of which the kernel returns 64.
   */
  @Test
  void recursiveCallsArePaired() {
    var own = Probe.uretprobe("c", "glob").where(pid().eq(SELF));
    var patterns = own.by(str(entry(arg(0)), 256)).count();
    var times = own.latency();
    try (Session session = tracer.start(patterns, times)) {
      assertThat(LibraryCalls.glob("/x*".repeat(70), 0, null, new byte[256])).isNotZero();
      session.stop();
      for (int components = 7; components <= 70; components++) {
        assertThat(session.read(patterns).get("/x*".repeat(components))).contains(1L);
      }
      assertThat(session.read(patterns).size()).isEqualTo(64);
      assertThat(session.read(times).single().count()).isEqualTo(64);
      assertThat(session.lost(Loss.UNPAIRED_CALLS)).isEqualTo(12);
    }
  }

  @Test
  void aProcessStandsForItsFilesAndItsHitsAlone() {
    var calls = Probe.uprobe(Long.toString(SELF), "getppid").by(pid()).count();
    try (Session session = tracer.start(calls)) {
      LibraryCalls.parents(CALLS);
      session.stop();
      assertThat(session.read(calls).get(SELF)).contains((long) CALLS);
      assertThat(session.read(calls).size()).isEqualTo(1);
    }
  }

  @Test
  void aPatternIsAttachedToEachOfItsFunctions() {
    var calls = Probe.uprobe("c", "getpp[i]d").where(pid().eq(SELF)).count();
    try (Session session = tracer.start(calls)) {
      LibraryCalls.parents(CALLS);
      session.stop();
      assertThat(session.read(calls).single()).isEqualTo(CALLS);
    }
  }

  @Test
  void whatAProgramCallsIsSeen() throws Exception {
    Live.assumeSharedLibraries();
    var allocations = Probe.uprobe("c", "malloc").where(comm().eq("dd")).quantize(arg(0));
    try (Session session = tracer.start(allocations)) {
      Process dd =
          new ProcessBuilder("dd", "if=/dev/zero", "of=/dev/null", "bs=64k", "count=1")
              .redirectErrorStream(true)
              .start();
      assertThat(dd.waitFor(60, TimeUnit.SECONDS)).isTrue();
      session.stop();
      assertThat(session.read(allocations).single().count()).isPositive();
    }
  }

  /** The C library's read and write begin with a test, past which a probe may be put. */
  @Test
  void whereAProbeStandsDoesNotShow() throws Exception {
    Live.assumeSharedLibraries();
    assumeTrue(System.getProperty("os.arch").equals("amd64"), "probes move on x86-64 only");
    Process dd =
        new ProcessBuilder("sh", "-c", "read go; exec dd if=/dev/zero of=/dev/null bs=3 count=700")
            .redirectErrorStream(true)
            .start();
    var entries = Probe.uprobe("c", "read").where(pid().eq(dd.pid())).by(arg(2)).count();
    // Who asks for the registers as they are stands where the function begins.
    var atEntry =
        Probe.uprobe("c", "read")
            .where(pid().eq(dd.pid()).and(regs("rip").ne(0)))
            .by(arg(2))
            .count();
    var results = Probe.uretprobe("c", "read").where(pid().eq(dd.pid())).by(retval()).count();
    try (KernelTracer other = KernelTracer.open();
        Session session = tracer.start(entries, results);
        Session placed = other.start(atEntry)) {
      assertThat(reasons(session))
          .containsExactly(
              isReadMoved()
                  ? "it costs the least, and past the function's start less than at it"
                  : "it costs the least");
      assertThat(reasons(placed)).containsExactly("it costs the least");
      dd.getOutputStream().write('\n');
      dd.getOutputStream().close();
      assertThat(dd.waitFor(60, TimeUnit.SECONDS)).isTrue();
      session.stop();
      placed.stop();
      assertThat(session.read(entries).get(3L)).contains(700L);
      assertThat(session.read(results).get(3L)).contains(700L);
      assertThat(placed.read(atEntry).get(3L)).contains(700L);
    }
  }

  /** The C library is loaded at any address. */
  @Test
  void variablesOfTheProbedProgramAreRead() throws Exception {
    Live.assumeSharedLibraries();
    Process shell = new ProcessBuilder("sh", "-c", "read go; echo").start();
    var calls =
        Probe.uprobe("c", "write")
            .where(pid().eq(shell.pid()))
            .by(uaddr("stdout").dereference().ne(0))
            .count();
    try (Session session = tracer.start(calls)) {
      shell.getOutputStream().write('\n');
      shell.getOutputStream().close();
      assertThat(shell.waitFor(60, TimeUnit.SECONDS)).isTrue();
      session.stop();
      assertThat(session.read(calls).get(1L)).isPresent();
    }
  }

  private static Set<String> reasons(Session session) {
    return session.attachments().stream().map(AttachedSite::reason).collect(toSet());
  }

  private static boolean isReadMoved() {
    UserBinaries binaries =
        new UserBinaries(
            () -> Architecture.X86_64, OptionalInt.empty(), new FileMemory(MemoryBudget.ofHeap()));
    UserLocation start = binaries.locate(new UserSelector.Function("c", "read")).get(0);
    return !binaries.cheapest(start).equals(start);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "c         | getpqid      | has no function \"getpqid\"",
        "c         | getppid+9999 | has no offset 9999",
        "c         | getppid+1    | is inside an instruction",
        "c         | 0x10         | has no code at 0x10",
        "/no/where | f            | no file /no/where",
        "/proc     | f            | it is not a file",
        "999999999 | f            | no process 999999999",
        "no_such_x | f            | library \"no_such_x\" not found",
        "/proc/version | f        | it is not an ELF file",
        "2         | f            | process 2 has no code",
      })
  void whatIsNotThereIsNamed(String binary, String place, String complaint) {
    assumeTrue(!binary.equals("2") || Files.exists(Path.of("/proc/2")), "there is no process 2");
    assertThatThrownBy(() -> tracer.start(Probe.uprobe(binary, place).count()))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining(complaint);
  }
}
