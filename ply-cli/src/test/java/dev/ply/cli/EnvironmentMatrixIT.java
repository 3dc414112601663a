package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.Live;
import dev.ply.type.TextBytes;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The launcher and the command of {@code -c} in surroundings of all kinds. The sixteen runs have
 * each pair of values of any two factors exactly once.
 */
@Tag("live")
@DisabledIfSystemProperty(
    named = "ply.guest",
    matches = ".+",
    disabledReason = "guests have no launcher")
@Timeout(300)
class EnvironmentMatrixIT {
  private static final String PLY = Path.of("bin", "ply").toAbsolutePath().toString();
  private static final List<String> LOCALES =
      List.of("LC_ALL=C.UTF-8", "LC_ALL=C", "LANG=de_DE.UTF-8", "");
  private static final List<String> DIRECTORIES =
      List.of("", "TMPDIR=HERE/link", "TMPDIR=HERE/missing", "TMPDIR=/dev/null");
  private static final List<String> NAMESPACES =
      List.of("", "unshare --pid --fork", "unshare --pid --fork --mount-proc", "unshare --mount");
  private static final List<String> CLOSED = List.of("", "<&-", ">&-", "<&- >&- 2>&-");
  private static final List<String> OPTIONS =
      List.of(
          "",
          "JAVA_TOOL_OPTIONS=-XX:+UseG1GC",
          "JDK_JAVA_OPTIONS=-Dply.test=1",
          "_JAVA_OPTIONS=-Xmx99m");

  /** What {@code -c} shall get: a character, a pattern and a byte that is no UTF-8. */
  private static final String TEXT = "ü* " + TextBytes.decode(new byte[] {(byte) 0xfc});

  private static final int STATUS = 7;
  private static final int FACTOR = 4;

  /** Multiplication by the generator of the field of four elements. */
  private static final int[] TIMES_TWO = {0, 2, 3, 1};

  private static final int[] TIMES_THREE = {0, 3, 1, 2};

  @TempDir Path directory = Path.of("");

  /** Surroundings of a run: variables that are set, a program to run it under, redirections. */
  record Surroundings(List<String> variables, String namespace, String closed) {}

  /** An orthogonal array: sums in that field of multiples of the row's two digits. */
  static Stream<Surroundings> surroundings() {
    List<Surroundings> all = new ArrayList<>();
    for (int i = 0; i < FACTOR; i++) {
      for (int j = 0; j < FACTOR; j++) {
        all.add(
            new Surroundings(
                Stream.of(LOCALES.get(i), DIRECTORIES.get(i ^ j), OPTIONS.get(i ^ TIMES_TWO[j]))
                    .filter(variable -> !variable.isEmpty())
                    .toList(),
                NAMESPACES.get(j),
                CLOSED.get(i ^ TIMES_THREE[j])));
      }
    }
    return all.stream();
  }

  /** So that none of the runs makes the class archive, and says so. */
  @BeforeAll
  static void makeArchive(@TempDir Path directory) throws Exception {
    Live.assumeTracing();
    assertThat(run(directory, PLY + " -v")).isZero();
  }

  @BeforeEach
  void prepare() throws Exception {
    Files.createDirectory(directory.resolve("temporary"));
    Files.createSymbolicLink(directory.resolve("link"), Path.of("temporary"));
  }

  /** Runs a line of the shell, with the environment of this process but for what is varied. */
  private int run(String line) throws IOException, InterruptedException {
    return run(directory, line);
  }

  private static int run(Path directory, String line) throws IOException, InterruptedException {
    Path script = directory.resolve("script");
    Files.write(
        script,
        TextBytes.encode(
            "unset PLY_CACHE LC_ALL LC_CTYPE LANG TMPDIR JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS\n"
                + line
                + "\n"));
    ProcessBuilder builder =
        new ProcessBuilder("sh", script.toString())
            .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(directory.resolve("output").toFile())
            .redirectError(directory.resolve("errors").toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("whether it ends").isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  @ParameterizedTest
  @MethodSource("surroundings")
  void theCommandRunsAsItsCallerWouldRunIt(Surroundings surroundings) throws Exception {
    if (!surroundings.namespace().isEmpty()) {
      assumeTrue(run(surroundings.namespace() + " true") == 0, "namespaces cannot be made here");
    }
    Path command = directory.resolve("command");
    Files.writeString(
        command,
        """
        printf %s "$1" >HERE/text
        env >HERE/environment
        ls /proc/self/fd >HERE/descriptors
        """
            .replace("HERE", directory.toString()));
    List<String> variables =
        surroundings.variables().stream()
            .map(variable -> variable.replace("HERE", directory.toString()))
            .toList();
    String program = "t:sched:sched_process_exit / pid == $target / { exit(" + STATUS + "); }";
    String line =
        "export OTHER=1 %s\nexec %s %s -c \"sh %s '%s'\" '%s' %s"
            .formatted(
                String.join(" ", variables),
                surroundings.namespace(),
                PLY,
                command,
                TEXT,
                program,
                surroundings.closed());

    assertThat(run(line)).as("the status that the end of $target sets").isEqualTo(STATUS);

    assertThat(TextBytes.decode(Files.readAllBytes(directory.resolve("text")))).isEqualTo(TEXT);
    assertThat(Files.readAllLines(directory.resolve("environment")))
        .filteredOn(
            entry -> entry.matches("(LC_|LANG|TMPDIR|JAVA_TOOL|JDK_JAVA|_JAVA|PLY_|OTHER).*"))
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(variables.stream(), Stream.of("OTHER=1")).toList());
    // The last one is the directory that ls reads.
    assertThat(directory.resolve("descriptors")).hasContent("0\n1\n2\n3\n");
    assertThat(directory.resolve("output")).isEmptyFile();
    assertThat(directory.resolve("errors")).isEmptyFile();
    assertThat(directory.resolve("temporary")).isEmptyDirectory();
  }

  /** Where all standard descriptors are closed, results are lost, and no file gets them. */
  @ParameterizedTest
  @MethodSource("closings")
  void whatCannotBeWrittenIsAnError(String closed, int status) throws Exception {
    assertThat(run("exec " + PLY + " 'BEGIN { printf(\"on\\n\"); exit(0); }' " + closed))
        .isEqualTo(status);
  }

  static Stream<Object[]> closings() {
    return Stream.of(
        new Object[] {"<&-", 0},
        new Object[] {">&-", 1},
        new Object[] {"2>&-", 0},
        new Object[] {"<&- >&- 2>&-", 1});
  }
}
