package dev.ply.cli.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.cli.Call;
import dev.ply.cli.CommandProcess;
import dev.ply.kernel.Live;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** However a tool ends, what it saw is shown once, with no message, and nothing stays attached. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class ToolEndsIT {
  private static final int OPENED = 5;

  /** A tool of each kind, with a line of its result, and how often it is there. */
  enum Kind {
    ROWS("opensnoop", ".* sh +3 +0 /etc/hostname", OPENED),
    COUNTS("syscount -T 99", "openat +" + OPENED, 1),
    HISTOGRAM("funclatency c:open64 -j", "\\{.*\"@latency\".*\\}", 1),
    STACKS("stackcount c:open64 -U -f folded", ".+ " + OPENED, 1);

    private final String words;
    private final String line;
    private final int times;

    Kind(String words, String line, int times) {
      this.words = words;
      this.line = line;
      this.times = times;
    }

    private void check(Stream<String> output) {
      List<String> all = output.toList();
      assertThat(all.stream().filter(each -> each.strip().matches(line)))
          .as(String.join("\n", all))
          .hasSize(times);
    }
  }

  private Process traced;

  /** Opens five files for each line of its input. */
  @BeforeEach
  void start() throws IOException {
    Live.assumeTracing();
    traced =
        new ProcessBuilder(
                "sh",
                "-c",
                "while read line; do for i in 1 2 3 4 5; do : </etc/hostname; done; echo done;"
                    + " done")
            .start();
  }

  @AfterEach
  void end() {
    if (traced != null) {
      traced.destroyForcibly();
    }
  }

  private void open() throws IOException {
    traced.getOutputStream().write('\n');
    traced.getOutputStream().flush();
    assertThat(traced.getInputStream().readNBytes(5)).asString().isEqualTo("done\n");
  }

  private String[] words(Kind kind, String... more) {
    return Stream.of(
            kind.words.split(" ", -1), new String[] {"-p", String.valueOf(traced.pid())}, more)
        .flatMap(Stream::of)
        .toArray(String[]::new);
  }

  @ParameterizedTest
  @EnumSource
  void theTimeIsOver(Kind kind) throws Exception {
    Call call = LiveTool.during(this::open, words(kind));
    kind.check(call.output().lines());
    assertThat(call.errors()).isEmpty();
    assertThat(call.status()).isZero();
    assertThat(programs()).isEmpty();
  }

  /** What is shown in each interval adds up. */
  @Test
  void intervalsAddUp() throws Exception {
    Call call = LiveTool.during(this::open, words(Kind.COUNTS, "-j", "-i", "1"));
    assertThat(
            call.output()
                .lines()
                .filter(line -> line.contains("\"openat\""))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".*: (\\d+)\\}", "$1")))
                .sum())
        .isEqualTo(OPENED);
  }

  @ParameterizedTest
  @EnumSource
  void theProcessIsKilled(Kind kind) throws Exception {
    Call call =
        LiveTool.during(
            () -> {
              open();
              traced.destroyForcibly().waitFor();
            },
            words(kind, "-d", "1000"));
    kind.check(call.output().lines());
    assertThat(call.errors()).isEmpty();
    assertThat(call.status()).isZero();
    assertThat(programs()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"ROWS, INT", "COUNTS, TERM", "HISTOGRAM, INT", "STACKS, TERM"})
  void aSignalComes(Kind kind, String signal) throws Exception {
    Process ply = start(kind);
    try (BufferedReader output = attached(ply)) {
      open();
      assertThat(
              new ProcessBuilder("sh", "-c", "kill -" + signal + " " + ply.pid()).start().waitFor())
          .isZero();
      List<String> lines = output.lines().filter(line -> !line.startsWith("debug: ")).toList();
      kind.check(lines.stream());
      assertThat(lines).noneMatch(line -> line.contains("error") || line.contains("warning"));
      assertThat(ply.waitFor()).isZero();
    } finally {
      ply.destroyForcibly();
    }
  }

  /** As by {@code head}: that is no error, and ends the tool. */
  @Test
  void nobodyReadsOn() throws Exception {
    Process ply = start(Kind.ROWS);
    try {
      BufferedReader output = attached(ply);
      open();
      assertThat(output.lines().filter(line -> line.contains("/etc/hostname")).findFirst())
          .isPresent();
      output.close();
      while (ply.isAlive()) {
        open();
      }
      assertThat(ply.waitFor()).isZero();
    } finally {
      ply.destroyForcibly();
    }
  }

  /** Entries that do not fit are counted, and that is said. */
  @Test
  void theMapIsFull() throws Exception {
    Call call = LiveTool.during(this::open, words(Kind.COUNTS, "--map-entries", "1"));
    assertThat(call.errors())
        .matches(
            "warning: \\d+ updates? lost: map \"@calls\" is full at 1 key \\(raise it with"
                + " --map-entries N\\)\n");
    assertThat(call.output().lines()).hasSize(2);
    assertThat(call.status()).isZero();
    assertThat(programs()).isEmpty();
  }

  /** Rows that do not fit are counted, and that is said. */
  @Test
  void rowsAreLost() throws Exception {
    Call call =
        LiveTool.during(
            () -> {
              for (int i = 0; i < 400; i++) {
                open();
              }
            },
            words(Kind.ROWS, "--buffer", "4096"));
    long shown = call.output().lines().filter(line -> line.contains("/etc/hostname")).count();
    assertThat(shown).isPositive();
    long lost = 400 * OPENED - shown;
    if (lost > 0) {
      assertThat(call.errors()).contains("lost", "--buffer");
    }
    assertThat(call.status()).isZero();
    assertThat(programs()).isEmpty();
  }

  private Process start(Kind kind) throws IOException {
    return CommandProcess.start(
        Stream.concat(Stream.of("tool"), Stream.of(words(kind, "-v"))).toArray(String[]::new));
  }

  private static BufferedReader attached(Process ply) throws IOException {
    BufferedReader output =
        new BufferedReader(new InputStreamReader(ply.getInputStream(), StandardCharsets.UTF_8));
    List<String> lines = new ArrayList<>();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith("debug: attached in")) {
        return output;
      }
      lines.add(line);
    }
    throw new IOException("it ended: " + String.join("\n", lines));
  }

  /** Returns this process's descriptors of programs and their attachments. */
  private static List<String> programs() throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors
          .map(ToolEndsIT::target)
          .filter(target -> target.matches("anon_inode:.*(bpf|perf_event).*"))
          .collect(Collectors.toList());
    }
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      // It has been closed in the meantime.
      return "";
    }
  }
}
