package dev.ply.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The guest's case runner and the reader of its reports, run by the host's shell. */
@EnabledOnOs(OS.LINUX)
@Tag("any-java")
class GuestScriptsTest {
  @TempDir Path directory;

  @Test
  void passesACaseWhoseLinesComeInOrder() throws Exception {
    writeCase("order", "--- command", "seq 5", "--- expect", "^2$", "^[45]$");

    assertThat(runCases()).isEqualTo("1 0 0");
  }

  @Test
  void runsEachCaseOfAFile() throws Exception {
    write(
        "several.cases",
        "What they are about.",
        "",
        "=== first",
        "--- command",
        "true",
        "",
        "=== second",
        "--- command",
        "exit 2",
        "--- status",
        "2",
        "",
        "=== third",
        "--- command",
        "false");

    assertThat(runCases()).isEqualTo("3 1 0");
    assertThat(tally("failures")).contains("failed: cases.third");
  }

  @Test
  void failsACaseWhoseLinesComeInAnotherOrder() throws Exception {
    writeCase("order", "--- command", "seq 5", "--- expect", "^4$", "^2$");

    assertThat(runCases()).isEqualTo("1 1 0");
    assertThat(tally("failures"))
        .contains("failed: cases.order", "no line of the output matches: ^2$");
  }

  @Test
  void doesNotLetOneLineMatchTwice() throws Exception {
    writeCase("once", "--- command", "echo a", "--- expect", "a", "a");

    assertThat(runCases()).isEqualTo("1 1 0");
  }

  @Test
  void comparesTheExitStatus() throws Exception {
    writeCase("same", "--- command", "exit 3", "--- status 3");
    writeCase("below", "--- command", "exit 3", "--- status", "3");
    writeCase("other", "--- command", "exit 3");

    assertThat(runCases()).isEqualTo("3 1 0");
    assertThat(tally("failures")).contains("cases.other", "exit status 3 instead of 0");
  }

  @Test
  void skipsACaseWhoseFileIsMissing() throws Exception {
    writeCase("there", "--- command", "true", "--- needs /$(echo tmp)");
    writeCase("missing", "--- command", "false", "--- needs /no/such/file");

    assertThat(runCases()).isEqualTo("2 0 1");
  }

  @Test
  void skipsACaseForNewerKernels() throws Exception {
    writeCase("new", "--- command", "true", "--- kernel 999.0");
    writeCase("old", "--- command", "true", "--- kernel 2.6");

    assertThat(runCases()).isEqualTo("2 0 1");
  }

  @Test
  void comparesBothOutputsAndEscapesThem() throws Exception {
    writeCase("both", "--- command", "echo '<a & \"b\">' >&2", "--- expect", "<a & \"b\">", "<c>");

    assertThat(runCases()).isEqualTo("1 1 0");
    assertThat(Files.readString(report())).contains("&lt;a &amp; &quot;b&quot;&gt;");
    assertThat(tally("failures")).contains("no line of the output matches: <c>");
  }

  @Test
  void makesOneTableOfTheKernelsOutcomes() throws Exception {
    write("attach-matrix-6.1.0-40-amd64.tsv", "interval\tworks", "kprobe\tworks");
    write("attach-matrix-6.18.5.tsv", "interval\tworks", "kprobe\tnot offered: no kprobes");

    assertThat(
            run(
                "matrix",
                directory.resolve("attach-matrix-6.1.0-40-amd64.tsv").toString(),
                directory.resolve("attach-matrix-6.18.5.tsv").toString()))
        .isEqualTo(
            """
            | attach point | 6.1 | 6.18 |
            |---|---|---|
            | interval | works | works |
            | kprobe | works | not offered (1) |

            (1) no kprobes\
            """);
  }

  private void writeCase(String name, String... lines) throws IOException {
    List<String> all = new ArrayList<>(List.of("=== " + name));
    all.addAll(List.of(lines));
    write(name + ".cases", all.toArray(String[]::new));
  }

  private void write(String name, String... lines) throws IOException {
    Files.write(directory.resolve(name), List.of(lines));
  }

  private Path report() {
    return directory.resolve("TEST-cases.xml");
  }

  private String runCases() throws IOException, InterruptedException {
    run("cases", directory.toString(), report().toString());
    return tally("totals");
  }

  private String tally(String what) throws IOException, InterruptedException {
    return run("tally", what, report().toString());
  }

  private static String run(String script, String... arguments)
      throws IOException, InterruptedException {
    List<String> command =
        Stream.concat(Stream.of("guest/" + script), Stream.of(arguments)).toList();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(process.waitFor()).as("status of %s: %s", command, output).isZero();
    return output;
  }
}
