package dev.ply.cli.live;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.cli.CommandProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A terminal of tmux with a shell, in which a test runs the command and presses keys. */
final class TmuxTerminal implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Between two looks at the screen, each of which starts a program. */
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final Path directory;
  private final List<String> tmux;

  private TmuxTerminal(Path directory) {
    this.directory = directory;
    this.tmux = List.of("tmux", "-f", "/dev/null", "-S", directory.resolve("tmux").toString());
  }

  /** Opens a terminal; skips the test without tmux. */
  static TmuxTerminal open(Path directory, int columns, int rows, String... environment)
      throws IOException, InterruptedException {
    TmuxTerminal terminal = new TmuxTerminal(directory);
    assumeTrue(terminal.isInstalled(), "tmux is not installed, which is the terminal of this test");
    List<String> command = new ArrayList<>();
    command.addAll(List.of("new-session", "-d", "-x", columns + "", "-y", rows + ""));
    command.addAll(List.of("env", "-u", "NO_COLOR", "LC_ALL=C.UTF-8"));
    command.addAll(List.of(environment));
    command.addAll(List.of("PS1=$ ", "bash", "--norc", "--noprofile"));
    terminal.tmux(command.toArray(String[]::new));
    terminal.await(screen -> screen.contains("$"));
    return terminal;
  }

  private boolean isInstalled() throws InterruptedException {
    try {
      return new ProcessBuilder("tmux", "-V").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  String tmux(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(tmux);
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C.UTF-8");
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    return output;
  }

  /** Runs the command in the shell, which notes the terminal's state before and afterwards. */
  void run(String... arguments) throws IOException, InterruptedException {
    Path script = directory.resolve("run.sh");
    String command =
        CommandProcess.command(arguments).stream()
            .map(word -> "'" + word.replace("'", "'\\''") + "'")
            .collect(Collectors.joining(" "));
    Files.writeString(
        script,
        "stty -a >before\n"
            + command
            + "\nstatus=$?\nstty -a >after\necho \"ended with $status\"\n");
    press("cd " + directory + " && clear && . ./run.sh", "Enter");
  }

  /** Presses keys, by tmux's names; a word of several letters is typed. */
  void press(String... keys) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("send-keys"));
    command.addAll(List.of(keys));
    tmux(command.toArray(String[]::new));
  }

  String screen() throws IOException, InterruptedException {
    return tmux("capture-pane", "-p");
  }

  /** The screen with what it has sent for colours. */
  String colours() throws IOException, InterruptedException {
    return tmux("capture-pane", "-p", "-e");
  }

  /** Waits until the screen is as it should be, and returns it. */
  String await(Predicate<String> condition) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    String screen = screen();
    while (!condition.test(screen)) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("the screen is\n" + screen);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
      screen = screen();
    }
    return screen;
  }

  /** Returns whether the alternate screen is shown, and whether the cursor is. */
  String modes() throws IOException, InterruptedException {
    return tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}").strip();
  }

  /** Returns what the shell has noted about the terminal. */
  String noted(String name) throws IOException {
    return Files.readString(directory.resolve(name));
  }

  /** Closes the terminal, as a window that is closed or a line that is lost. */
  void hangUp() throws IOException, InterruptedException {
    tmux("kill-server");
  }

  @Override
  public void close() throws IOException {
    try {
      hangUp();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
