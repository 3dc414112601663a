package dev.ply.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.cli.Call;
import dev.ply.kernel.Live;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The live view in a terminal. */
@Tag("live")
@DisabledIfSystemProperty(
    named = "ply.guest",
    matches = ".+",
    disabledReason = "terminals are the same on every kernel")
@Timeout(300)
final class LiveViewIT {
  private static final String SCRIPT =
      "interval:50ms { @hits[\"often\"] = count(); @ns[1] = quantize(5000);"
          + " @hits[\"\\x1b[31mred\\n\"] = count(); printf(\"tick %d\\n\", 7); }"
          + " interval:hz:2 { @hits[\"seldom\"] = count(); } END { printf(\"bye\\n\"); }";

  @TempDir private Path directory;

  @BeforeEach
  void start() {
    Live.assumeTracing();
  }

  private static void assertRestored(TmuxTerminal terminal) throws Exception {
    assertThat(terminal.noted("after")).isEqualTo(terminal.noted("before"));
    assertThat(terminal.modes()).isEqualTo("0 1");
  }

  private static Optional<ProcessHandle> view(Path directory) {
    return ProcessHandle.allProcesses()
        .filter(process -> isIn(process, directory))
        .filter(
            process -> process.info().command().filter(name -> name.endsWith("java")).isPresent())
        .findFirst();
  }

  private static boolean isIn(ProcessHandle process, Path directory) {
    try {
      return Files.readSymbolicLink(Path.of("/proc/" + process.pid() + "/cwd"))
          .equals(directory.toRealPath());
    } catch (IOException e) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"q", "C-c", "TERM", "HUP", "exit"})
  void theTerminalIsRestoredAndResultsArePrinted(String end) throws Exception {
    try (TmuxTerminal terminal = TmuxTerminal.open(directory, 80, 24)) {
      String script = end.equals("exit") ? SCRIPT + " interval:s:2 { exit(3); }" : SCRIPT;
      terminal.run("--live=200ms", script);
      if (!end.equals("exit")) {
        terminal.await(screen -> screen.contains("▸ @hits"));
        assertThat(terminal.modes()).isEqualTo("1 0");
      }
      switch (end) {
        case "exit" -> {
          // It ends by itself.
        }
        case "TERM", "HUP" ->
            new ProcessBuilder("kill", "-" + end, view(directory).orElseThrow().pid() + "")
                .start()
                .waitFor();
        default -> terminal.press(end);
      }
      String screen = terminal.await(text -> text.contains("ended with"));
      assertRestored(terminal);
      assertThat(screen)
          .contains(
              "tick 7", "bye", "@hits:", "{ often ", "ended with " + (end.equals("exit") ? 3 : 0));
      assertThat(screen).containsOnlyOnce("bye");
    }
  }

  @Test
  void aTraceThatFailsRestoresTheTerminal() throws Exception {
    try (TmuxTerminal terminal = TmuxTerminal.open(directory, 80, 24)) {
      terminal.run("--live", "--map-entries", "2", "interval:100ms { @[nsecs] = count(); }");
      String screen = terminal.await(text -> text.contains("ended with 1"));
      assertRestored(terminal);
      assertThat(screen).contains("error: ", "map \"@\" is full at 2 keys");
    }
  }

  @Test
  void aTerminalThatIsClosedEndsTheTrace() throws Exception {
    try (TmuxTerminal terminal = TmuxTerminal.open(directory, 80, 24)) {
      terminal.run("--live", SCRIPT);
      terminal.await(screen -> screen.contains("▸ @hits"));
      ProcessHandle process = view(directory).orElseThrow();
      terminal.hangUp();
      process.onExit().get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void keysChangeTheView() throws Exception {
    try (TmuxTerminal terminal = TmuxTerminal.open(directory, 100, 40)) {
      terminal.run("--live=200ms", SCRIPT);
      String first = terminal.await(text -> text.contains("seldom") && text.contains("tick 7"));
      assertThat(first)
          .contains("\\x1b[31mred\\n", "nothing lost", "last minute", "q quit")
          .contains("p50 4K–8K");
      terminal.press("Down");
      terminal.press("Enter");
      terminal.await(text -> text.contains("of all keys"));
      terminal.press("Escape");
      terminal.await(text -> !text.contains("of all keys"));
      terminal.press("Escape");
      terminal.press("Right");
      terminal.await(text -> text.contains("▼/s"));
      terminal.press("r");
      terminal.await(text -> text.contains("▲/s"));
      terminal.press("/often", "Enter");
      terminal.await(text -> !text.contains("seldom") && text.contains("1 that match"));
      terminal.press("Escape");
      terminal.await(text -> text.contains("seldom"));
      terminal.press("?");
      terminal.await(text -> text.contains("any key leaves it"));
      terminal.press("x");
      terminal.press("Space");
      terminal.await(text -> text.contains("PAUSED"));
      terminal.press("Space");
      terminal.await(text -> !text.contains("PAUSED"));
      terminal.press("Tab");
      terminal.await(text -> text.contains("▸ @ns"));
      terminal.press("Tab");
      terminal.await(text -> text.contains("▸ events"));
      terminal.press("s");
      terminal.await(text -> text.contains("saved to ply-live-"));
      terminal.press("q");
      terminal.await(text -> text.contains("ended with 0"));
    }
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> saved = files.filter(file -> file.toString().endsWith(".txt")).toList();
      assertThat(saved).hasSize(1);
      assertThat(saved.get(0)).content().contains("@hits:", "tick 7").doesNotContain("\033");
    }
  }

  @Test
  void theShellContinuesAViewThatItHasSuspended() throws Exception {
    try (TmuxTerminal terminal = TmuxTerminal.open(directory, 80, 24)) {
      terminal.run("--live=200ms", SCRIPT);
      terminal.await(screen -> screen.contains("▸ @hits"));
      terminal.press("C-z");
      terminal.await(screen -> screen.contains("Stopped") || screen.contains("ended with"));
      assertThat(terminal.modes()).isEqualTo("0 1");
      terminal.press("fg", "Enter");
      terminal.await(screen -> screen.contains("▸ @hits"));
      assertThat(terminal.modes()).isEqualTo("1 0");
      terminal.press("q");
      terminal.await(screen -> screen.contains("bye") && !screen.contains("▸"));
      assertThat(terminal.modes()).isEqualTo("0 1");
    }
  }

  @Test
  void theViewHasTheSizeOfTheTerminal() throws Exception {
    try (TmuxTerminal terminal = TmuxTerminal.open(directory, 200, 60)) {
      terminal.run("--live=200ms", SCRIPT);
      terminal.await(screen -> screen.contains("hits/s"));
      terminal.tmux("resize-window", "-x", "80", "-y", "24");
      String small =
          terminal.await(
              screen -> screen.lines().count() <= 24 && screen.strip().endsWith("Tab next"));
      assertThat(small.lines()).allMatch(line -> line.length() <= 80);
      terminal.press("q");
    }
  }

  @Test
  void colourIsLeftOutOnRequest() throws Exception {
    try (TmuxTerminal terminal = TmuxTerminal.open(directory, 80, 24, "NO_COLOR=1", "LC_ALL=C")) {
      terminal.run("--live=200ms", SCRIPT);
      String screen =
          terminal.await(text -> text.contains("> @hits") && text.contains("last minute"));
      assertThat(screen).matches("[\\p{ASCII}]*");
      assertThat(terminal.colours())
          .doesNotContainPattern("\033\\[([0-9]+;)*([34][0-8]|9[0-7])[;m]");
      terminal.press("q");
    }
  }

  @Test
  void withoutATerminalThereIsAnError() {
    Call call = Call.ply("--live", SCRIPT);
    assertThat(call.status()).isEqualTo(1);
    assertThat(call.errors())
        .isEqualTo(
            "error: --live shows results in a terminal, and standard output is none: leave out"
                + " --live, or write results to a file with -o\n");
  }
}
