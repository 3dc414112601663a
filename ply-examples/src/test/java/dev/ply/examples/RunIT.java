package dev.ply.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.Live;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The examples' main methods, each in a process of its own. */
@Tag("live")
@Tag("runtime")
@Tag("any-kernel")
class RunIT {
  private static final List<String> UNPRIVILEGED =
      List.of("setpriv", "--inh-caps=-all", "--bounding-set=-all");

  /** How a process ended, and what it wrote to both outputs. */
  private record Outcome(int status, String output) {}

  @Test
  void showsTheTableOfACommand() throws Exception {
    Live.assumeTracing();
    Outcome outcome =
        run(
            List.of(),
            SystemCallCounts.class,
            "dd",
            "if=/dev/zero",
            "of=/dev/null",
            "bs=1",
            "count=1000",
            "status=none");
    assertThat(outcome.output()).matches("\n@:\n\\{ dd }: 2[01]\\d\\d\n");
    assertThat(outcome.status()).isZero();
  }

  @Test
  void saysWhyACommandCannotBeRun() throws Exception {
    Live.assumeTracing();
    Outcome outcome = run(List.of(), SystemCallCounts.class, "/no/such/command");
    assertThat(outcome.output())
        .startsWith("Cannot run program \"/no/such/command\"")
        .hasLineCount(1);
    assertThat(outcome.status()).isEqualTo(1);
  }

  @Test
  void saysInOneSentenceThatItMayNotTrace() throws Exception {
    Live.assumeTracing();
    assumeTrue(canRun(UNPRIVILEGED), "no setpriv of util-linux to drop privileges with");
    Outcome outcome = run(UNPRIVILEGED, SystemCallCounts.class, "true");
    assertThat(outcome.output())
        .isEqualTo(
            "this process lacks CAP_BPF and CAP_PERFMON: no process started here can have them, as"
                + " in a container: start that with --cap-add=BPF --cap-add=PERFMON\n");
    assertThat(outcome.status()).isEqualTo(1);
  }

  private static boolean canRun(List<String> prefix) throws InterruptedException {
    List<String> command = new ArrayList<>(prefix);
    command.add("true");
    try {
      return new ProcessBuilder(command).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static Outcome run(List<String> prefix, Class<?> example, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), example.getName()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), output);
  }
}
