package dev.ply.kernel;

import static dev.ply.Values.pid;
import static dev.ply.Values.ustack;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.AggregateProbe;
import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.table.Datum;
import dev.ply.table.Row;
import dev.ply.target.UserSymbols.Frame;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes of an unprivileged user that lie about themselves, while they are sampled together with
 * one that does not: the trace ends with its results, and the honest process has its names.
 */
@Tag("live")
@Tag("oldest")
@DisabledIfSystemProperty(
    named = "ply.guest",
    matches = ".+",
    disabledReason = "symbols are read alike on every kernel")
@Timeout(120)
class HostileProcessIT {
  private static final int SAMPLES = 20;

  private final List<Process> processes = new ArrayList<>();
  private final List<Path> files = new ArrayList<>();

  @TempDir Path directory;

  @BeforeEach
  void assumePrivileges() throws IOException {
    Live.assumeTracing();
    assumeTrue(Files.exists(Path.of("/usr/bin/setpriv")), "there is no setpriv on this machine");
    assumeTrue(
        (Integer) Files.getAttribute(directory, "unix:uid") == 0,
        "only root can start processes of other users");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    try (InputStream in = BusyJava.class.getResourceAsStream("BusyJava.class")) {
      Path copy = directory.resolve("dev/ply/kernel/BusyJava.class");
      Files.createDirectories(copy.getParent());
      Files.write(copy, in.readAllBytes());
    }
    Process readable =
        asNobody("test", "-r", directory.resolve("dev/ply/kernel/BusyJava.class").toString());
    try {
      assumeTrue(readable.waitFor() == 0, "other users cannot read the test's files");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @AfterEach
  void end() throws IOException {
    for (Process process : processes) {
      process.destroyForcibly().onExit().join();
    }
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }

  private Process asNobody(String... command) throws IOException {
    List<String> line =
        new ArrayList<>(
            List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"));
    line.addAll(List.of(command));
    Process process =
        new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    processes.add(process);
    return process;
  }

  /** Starts a Java runtime of nobody, and waits until its methods are compiled. */
  private Process java(String... options) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = new ArrayList<>(List.of(java));
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", directory.toString(), BusyJava.class.getName()));
    Process process = asNobody(command.toArray(String[]::new));
    assertThat(process.getInputStream().read()).as("what a runtime writes first").isEqualTo('r');
    return process;
  }

  private Path perfMap(Process process) {
    Path file = Path.of("/tmp/perf-" + process.pid() + ".map");
    files.add(file);
    return file;
  }

  /** What was sampled of each process, its stacks by how often. */
  private record Samples(List<List<Row<Long>>> stacks, List<Long> counts, boolean isShort) {}

  private static Samples sample(Long... sampled) throws InterruptedException {
    List<AggregateProbe<Long>> stacks =
        Stream.of(sampled)
            .map(process -> Probe.profile(499).where(pid().eq(process)).by(ustack()).count())
            .toList();
    List<AggregateProbe<Long>> counts =
        Stream.of(sampled)
            .map(process -> Probe.profile(499).where(pid().eq(process)).count())
            .toList();
    try (KernelTracer tracer = KernelTracer.open();
        Session session =
            tracer.start(Stream.concat(stacks.stream(), counts.stream()).toArray(Probe[]::new))) {
      while (counts.stream()
          .anyMatch(
              count -> session.read(count).isEmpty() || session.read(count).single() < SAMPLES)) {
        session.await(Duration.ofMillis(10));
      }
      session.stop();
      return new Samples(
          stacks.stream().map(probe -> session.read(probe).rows()).toList(),
          counts.stream().map(probe -> session.read(probe).single()).toList(),
          session.symbolShortage().isPresent());
    }
  }

  private static List<String> names(List<Row<Long>> rows) {
    return rows.stream()
        .map(row -> row.key().parts().get(0))
        .filter(Datum.UserStack.class::isInstance)
        .flatMap(stack -> ((Datum.UserStack) stack).frames().stream())
        .map(Frame::toString)
        .toList();
  }

  @Test
  void runtimesThatWouldNotAnswerAreReadAndNotAsked() throws Exception {
    Process silent = java("-XX:+DisableAttachMechanism");
    Process deaf = java("-Xrs");
    Samples samples = sample(silent.pid(), deaf.pid());
    assertThat(samples.counts()).allMatch(count -> count >= SAMPLES);
    assertThat(samples.stacks())
        .allSatisfy(rows -> assertThat(names(rows)).anyMatch(name -> name.contains("hottest")));
    assertThat(silent.getInputStream().available()).as("a thread dump").isZero();
    assertThat(deaf.isAlive()).as("who does not catch SIGQUIT does not get it").isTrue();
    assertThat(Path.of("/tmp/.attach_pid" + silent.pid())).doesNotExist();
  }

  @Test
  void falsePerfMapsOfARuntimeAreNotRead() throws Exception {
    Process large = java();
    Path map = perfMap(large);
    assertThat(asNobody("truncate", "-s", "3G", map.toString()).waitFor()).isZero();
    Process piped = java();
    Path pipe = perfMap(piped);
    assertThat(asNobody("mkfifo", pipe.toString()).waitFor()).isZero();
    Process linked = java();
    Path link = perfMap(linked);
    assertThat(asNobody("ln", "-s", "/dev/zero", link.toString()).waitFor()).isZero();
    Samples samples = sample(large.pid(), piped.pid(), linked.pid());
    assertThat(samples.counts()).allMatch(count -> count >= SAMPLES);
    assertThat(samples.stacks())
        .allSatisfy(rows -> assertThat(names(rows)).anyMatch(name -> name.contains("hottest")));
    assertThat(samples.isShort()).isFalse();
  }

  @Test
  void namesMayHaveAnyBytes() throws Exception {
    String script =
        "n=$(printf '%s/d\\033[31m\\377\\012d' \"$1\"); cp \"$(command -v dd)\" \"$n\";"
            + " exec \"$n\" if=/dev/zero of=/dev/null bs=1";
    Process dd = asNobody("sh", "-c", script, "sh", directory.toString());
    Samples samples = sample(dd.pid());
    assertThat(names(samples.stacks().get(0))).anyMatch(name -> !name.startsWith("<"));
  }
}
