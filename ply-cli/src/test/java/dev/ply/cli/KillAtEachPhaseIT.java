package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.ply.cli.io.ExitCode;
import dev.ply.cli.io.SignalsIT;
import dev.ply.kernel.Live;
import dev.ply.kernel.sys.KernelObjects;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Signals to the command in each phase of a trace: nothing of it is left. */
@Tag("live")
@DisabledIfSystemProperty(
    named = "ply.guest",
    matches = ".+",
    disabledReason = "each run takes an emulator long")
@Timeout(300)
class KillAtEachPhaseIT {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Nearly as many reads as a map has entries, whose dump is more than a pipe holds. */
  private static final int READS = 4000;

  @TempDir Path directory = Path.of("");

  private final List<Path> temporaryBefore = new ArrayList<>();

  /** A phase of the trace, which has begun once a line of output contains that string. */
  enum Phase {
    LOAD("debug: command started, waiting"),
    ATTACH("verified and loaded"),
    RUN("debug: attached"),
    END("ending"),
    PRINT("{ "),
    DETACH("{ ");

    private final String begin;

    Phase(String begin) {
      this.begin = begin;
    }
  }

  /** What the command gets: a signal, once or twice. */
  enum Kill {
    BY_KILL(9, 1),
    BY_TERM(15, 1),
    BY_HUP(1, 1),
    BY_INT_TWICE(2, 2);

    private final int signal;
    private final int times;

    Kill(int signal, int times) {
      this.signal = signal;
      this.times = times;
    }
  }

  /** A quarter of the pairs: which ones is the seed's matter. */
  static List<Object[]> phasesAndKills() {
    List<Object[]> pairs = new ArrayList<>();
    for (Phase phase : Phase.values()) {
      for (Kill kill : Kill.values()) {
        pairs.add(new Object[] {phase, kill});
      }
    }
    Collections.shuffle(pairs, new Random(Long.getLong("ply.seed", 1)));
    boolean all = Integer.getInteger("harness.repeats", 1) > 1;
    return all ? pairs : pairs.subList(0, pairs.size() / 4);
  }

  @BeforeEach
  void prepare() throws IOException {
    Live.assumeTracing();
    Files.copy(Path.of("/bin/dd"), directory.resolve("reader"), StandardCopyOption.COPY_ATTRIBUTES);
    temporaryBefore.addAll(ofPly(Path.of("/tmp")));
  }

  private static List<Path> ofPly(Path temporary) throws IOException {
    try (Stream<Path> files = Files.list(temporary)) {
      return files
          .filter(file -> file.getFileName().toString().matches("(?i)(ply|jna).*"))
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("phasesAndKills")
  void nothingIsLeft(Phase phase, Kill kill) throws Exception {
    assumeFalse(
        kill == Kill.BY_HUP && SignalsIT.isHangupIgnored(),
        "SIGHUP is ignored here, as under nohup, and so by the command");
    String map = "kill" + Long.toString(ProcessHandle.current().pid(), Character.MAX_RADIX);
    String reads = "comm == \"reader\" && uid == " + uid();
    boolean endsItself = phase.compareTo(Phase.RUN) > 0;
    Process ply =
        CommandProcess.startUnder(
            List.of("env", "MARK=" + directory),
            "-d",
            "-u",
            "-c",
            directory.resolve("reader")
                + " if=/dev/zero of=/dev/null bs=1 status=none count="
                + READS
                + "; sleep 1000; true",
            "t:syscalls:sys_enter_read / READS / { MAP[time] = count(); }"
                    .replace("READS", reads)
                    .replace("MAP", "@" + map)
                + (endsItself ? "t:sched:sched_process_exit / " + reads + " / { exit(0); }" : "")
                + " END { printf(\"ending\\n\"); }");
    try (BufferedReader output =
        new BufferedReader(new InputStreamReader(ply.getInputStream(), StandardCharsets.UTF_8))) {
      int lines = phase == Phase.DETACH ? READS : 1;
      for (int i = 0; i < lines; i++) {
        readUntil(output, phase.begin);
      }
      if (phase != Phase.LOAD) {
        assertThat(KernelObjects.mapsNamed("_" + map)).hasSize(1);
      }
      for (int i = 0; i < kill.times; i++) {
        new ProcessBuilder("sh", "-c", "kill -" + kill.signal + " " + ply.pid()).start().waitFor();
      }
      output.lines().forEach(line -> {});
      // Zero where the signal ends the trace in order, or comes too late.
      assertThat(ply.waitFor()).isIn(0, ExitCode.ofSignal(kill.signal));
    } finally {
      ply.destroyForcibly();
    }
    awaitEmpty("processes", () -> processesMarked("MARK=" + directory));
    awaitEmpty("maps, and so programs", () -> List.copyOf(KernelObjects.mapsNamed("_" + map)));
    assertThat(ofPly(Path.of("/tmp"))).as("temporary files").isEqualTo(temporaryBefore);
    assertThat(traceEventsOf(ply.pid())).as("events of tracefs").isEmpty();
  }

  private static void readUntil(BufferedReader output, String text) throws IOException {
    List<String> before = new ArrayList<>();
    for (String line = output.readLine(); ; line = output.readLine()) {
      assertThat(line).as(() -> "a line after " + before).isNotNull();
      if (line.contains(text)) {
        return;
      }
      before.add(line);
    }
  }

  private static String uid() throws IOException {
    return Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString();
  }

  /** The kernel frees some of it a moment later, and signals take their time. */
  private static void awaitEmpty(String what, Supplier<List<?>> left) {
    long begin = System.nanoTime();
    List<?> now = left.get();
    while (!now.isEmpty() && System.nanoTime() - begin < PATIENCE.toNanos()) {
      Thread.onSpinWait();
      now = left.get();
    }
    assertThat(now).as(what).isEmpty();
  }

  private static List<String> processesMarked(String entry) {
    List<String> marked = new ArrayList<>();
    ProcessHandle.allProcesses()
        .forEach(
            process -> {
              Path proc = Path.of("/proc", Long.toString(process.pid()));
              try {
                if (Files.readString(proc.resolve("environ"), StandardCharsets.ISO_8859_1)
                    .contains(entry)) {
                  marked.add(
                      Files.readString(proc.resolve("cmdline"), StandardCharsets.ISO_8859_1)
                          .replace('\0', ' '));
                }
              } catch (IOException e) {
                // Ended, or of another user.
                return;
              }
            });
    return marked;
  }

  private static List<String> traceEventsOf(long pid) throws IOException {
    List<String> events = new ArrayList<>();
    Path tracefs = Path.of("/sys/kernel/tracing");
    if (Files.isReadable(tracefs.resolve("uprobe_events"))) {
      events.addAll(Files.readAllLines(tracefs.resolve("uprobe_events")));
    }
    if (Files.isDirectory(tracefs.resolve("instances"))) {
      try (Stream<Path> instances = Files.list(tracefs.resolve("instances"))) {
        instances.forEach(instance -> events.add(instance.toString()));
      }
    }
    return events.stream().filter(event -> event.contains("_" + pid + "_")).toList();
  }
}
