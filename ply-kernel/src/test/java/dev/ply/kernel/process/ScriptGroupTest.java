package dev.ply.kernel.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.type.TextBytes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ScriptGroupTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path directory = Path.of("");

  private static String output(String script, String... parameters) throws Exception {
    try (ScriptGroup group = ScriptGroup.start(script, List.of(parameters))) {
      byte[] all = group.output().readAllBytes();
      assertThat(group.await(PATIENCE)).isTrue();
      return TextBytes.decode(all);
    }
  }

  @Test
  void outputsAreOneStreamAndThereIsNoInput() throws Exception {
    assertThat(output("echo a; echo b >&2; cat; exit 3")).isEqualTo("a\nb\n");
  }

  @Test
  void bytesOfScriptAndParametersAreKept() throws Exception {
    String bytes = TextBytes.decode(new byte[] {(byte) 0xff, '\'', (byte) 0xc3, (byte) 0xa4, '\n'});
    assertThat(output("printf '%s|' é \"$@\"", bytes, "", "-x")).isEqualTo("é|" + bytes + "||-x|");
  }

  @Test
  void aScriptThatLooksLikeAnOptionIsNone() throws Exception {
    assertThat(output("-no")).contains("not found");
  }

  @Test
  void theEnvironmentIsThatOfThisProcess() throws Exception {
    assertThat(output("printf %s \"$PATH\"")).isEqualTo(System.getenv("PATH"));
  }

  @Test
  void theGuardIsNoChildOfTheScript() throws Exception {
    assertThat(output("cat /proc/$$/task/$$/children; ls /proc/$$/fd | tr '\\n' ' '"))
        .matches("(\\d+ )?0 1 2 (10 )?");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sleep 1000",
        "sleep 1000; true",
        "sleep 1000 | cat",
        "trap '' TERM INT HUP; sleep 1000; sleep 1000",
        "setsid sleep 1000; true"
      })
  void killingEndsAll(String script) throws Exception {
    try (ScriptGroup group = ScriptGroup.start("echo $$; " + script, List.of())) {
      ProcessHandle shell = ProcessHandle.of(firstNumber(group)).orElseThrow();
      while (shell.isAlive() && !sleeps(shell) && shell.descendants().noneMatch(this::sleeps)) {
        Thread.onSpinWait();
      }
      List<ProcessHandle> all = shell.descendants().collect(Collectors.toList());
      group.kill();
      assertThat(group.await(PATIENCE)).isTrue();
      for (ProcessHandle each : all) {
        each.onExit().get(30, TimeUnit.SECONDS);
      }
    }
  }

  private static long firstNumber(ScriptGroup group) throws Exception {
    StringBuilder digits = new StringBuilder();
    int digit = group.output().read();
    while (digit != '\n') {
      digits.append((char) digit);
      digit = group.output().read();
    }
    return Long.parseLong(digits.toString());
  }

  private boolean sleeps(ProcessHandle process) {
    return process.info().command().filter(command -> command.endsWith("/sleep")).isPresent();
  }

  @Test
  void whatAnEndedScriptLeftInTheBackgroundGoesOn() throws Exception {
    Path fifo = directory.resolve("fifo");
    new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor();
    ProcessHandle left = leftBy("cat \"$1\" >/dev/null & echo $!", fifo);
    // It reads to the end of what is written now.
    Files.write(fifo, "x".getBytes(StandardCharsets.US_ASCII));
    left.onExit().get(30, TimeUnit.SECONDS);
  }

  /** Runs a script to its end, and returns the process whose PID it writes. */
  private static ProcessHandle leftBy(String script, Path parameter) throws Exception {
    try (ScriptGroup group = ScriptGroup.start(script, List.of(parameter.toString()))) {
      ProcessHandle left = ProcessHandle.of(firstNumber(group)).orElseThrow();
      assertThat(group.await(PATIENCE)).isTrue();
      return left;
    }
  }
}
