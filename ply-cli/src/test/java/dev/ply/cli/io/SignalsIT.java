package dev.ply.cli.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.ply.cli.CommandProcess;
import dev.ply.kernel.Live;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Signals to a process of the command. */
@Tag("live")
@Tag("runtime")
@DisabledIfSystemProperty(
    named = "ply.guest",
    matches = ".+",
    disabledReason = "signals are the same on every kernel, and each run takes an emulator long")
@Timeout(300)
public class SignalsIT {
  /** The signals that a process ignores, SIGHUP in the lowest bit. */
  private static final Pattern IGNORED = Pattern.compile("(?m)^SigIgn:\\s+(\\p{XDigit}+)$");

  @BeforeEach
  void assumeTracing() throws IOException {
    Live.assumeTracing();
    assumeFalse(isHangupIgnored(), "SIGHUP is ignored here, as under nohup, and so by the command");
  }

  /** Returns whether this process ignores SIGHUP, and so those that it starts. */
  public static boolean isHangupIgnored() throws IOException {
    Matcher ignored = IGNORED.matcher(Files.readString(Path.of("/proc/self/status")));
    return ignored.find() && (Long.parseUnsignedLong(ignored.group(1), 16) & 1) != 0;
  }

  @ParameterizedTest
  @ValueSource(strings = {"INT", "TERM", "HUP"})
  void aSignalIsANormalEnd(String signal) throws Exception {
    Process ply =
        CommandProcess.start(
            "-u",
            "BEGIN { printf(\"ready\\n\"); @[1] = count(); } interval:20ms { printf(\"on\\n\"); }"
                + " END { printf(\"bye\\n\"); }");
    try (BufferedReader output =
        new BufferedReader(new InputStreamReader(ply.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(output.readLine()).isEqualTo("ready");
      assertThat(output.readLine()).isEqualTo("on");
      new ProcessBuilder("sh", "-c", "kill -" + signal + " " + ply.pid()).start().waitFor();
      String rest =
          output.lines().filter(line -> !line.equals("on")).collect(Collectors.joining("\n"));
      assertThat(rest).isEqualTo("bye\n\n@:\n{ 1 }: 1");
      assertThat(ply.waitFor()).isZero();
    } finally {
      ply.destroyForcibly();
    }
  }

  @Test
  void aScriptHandlesSignalsOfItsOwn() throws Exception {
    Process ply =
        CommandProcess.start(
            "-u",
            "BEGIN { printf(\"ready\\n\"); }"
                + " self:signal:SIGUSR1 { @n++; printf(\"first\\n\"); }"
                + " self:signal:SIGUSR1 { printf(\"%d\\n\", @n); if (@n == 2) { exit(3); } }");
    try (BufferedReader output =
        new BufferedReader(new InputStreamReader(ply.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(output.readLine()).isEqualTo("ready");
      for (int i = 1; i <= 2; i++) {
        new ProcessBuilder("sh", "-c", "kill -USR1 " + ply.pid()).start().waitFor();
        assertThat(output.readLine()).isEqualTo("first");
        assertThat(output.readLine()).isEqualTo(String.valueOf(i));
      }
      assertThat(ply.waitFor()).isEqualTo(3);
    } finally {
      ply.destroyForcibly();
    }
  }

  /** As scripts start what they leave in the background. */
  @Test
  void anInterruptIsHeededThatItWasStartedToIgnore() throws Exception {
    Process ply =
        CommandProcess.startUnder(
            List.of("sh", "-c", "trap '' INT; exec \"$@\"", "sh"),
            "-u",
            "BEGIN { printf(\"ready\\n\"); } END { printf(\"bye\\n\"); }");
    try (BufferedReader output =
        new BufferedReader(new InputStreamReader(ply.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(output.readLine()).isEqualTo("ready");
      new ProcessBuilder("sh", "-c", "kill -INT " + ply.pid()).start().waitFor();
      assertThat(output.readLine()).isEqualTo("bye");
      assertThat(ply.waitFor()).isZero();
    } finally {
      ply.destroyForcibly();
    }
  }

  /** With its output blocked, the command cannot end by itself. */
  @Test
  void aLaterSignalEndsItAtOnce(@TempDir Path directory) throws Exception {
    Path errors = directory.resolve("errors");
    Process ply =
        CommandProcess.startUnder(
            List.of("sh", "-c", "exec \"$@\" 2>" + errors, "sh"),
            "-c",
            "exec dd if=/dev/zero of=/dev/null bs=1 count=20000 status=none",
            "tracepoint:syscalls/sys_enter_read / pid == $target / { print(comm, comm, comm); }");
    try {
      assertThat(ply.getInputStream().read()).isPositive();
      while (!ply.waitFor(50, TimeUnit.MILLISECONDS)) {
        new ProcessBuilder("sh", "-c", "kill -INT " + ply.pid()).start().waitFor();
      }
      assertThat(ply.waitFor()).isEqualTo(130);
      assertThat(errors).content().contains("error: interrupted again: results are left out\n");
    } finally {
      ply.destroyForcibly();
    }
  }

  /** One signal ends the commands of a script, with all that they have started. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "sleep 1000",
        "sleep 1000 | sleep 1000",
        "trap '' TERM INT; sleep 1000; sleep 1000",
        "setsid sleep 1000; :"
      })
  void aSignalEndsCommands(String command) throws Exception {
    Process ply = withCommands(command);
    try (BufferedReader output =
        new BufferedReader(new InputStreamReader(ply.getInputStream(), StandardCharsets.UTF_8))) {
      List<ProcessHandle> sleepers = sleepers(ply);
      new ProcessBuilder("sh", "-c", "kill -INT " + ply.pid()).start().waitFor();
      String rest = output.lines().collect(Collectors.joining("\n"));
      assertThat(rest)
          .contains("a command was stopped: the trace has ended")
          .contains("a command or file was left out: the trace has ended")
          .contains("after\nbye\nend\n");
      assertThat(ply.waitFor()).isZero();
      for (ProcessHandle sleeper : sleepers) {
        sleeper.onExit().get(60, TimeUnit.SECONDS);
      }
    } finally {
      ply.destroyForcibly();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sleep 1000",
        "sleep 1000 | sleep 1000",
        "trap '' TERM INT; sleep 1000; sleep 1000",
      })
  void commandsEndWithTheirTracer(String command) throws Exception {
    Process ply = withCommands(command);
    try {
      List<ProcessHandle> sleepers = sleepers(ply);
      ply.destroyForcibly();
      for (ProcessHandle sleeper : sleepers) {
        sleeper.onExit().get(60, TimeUnit.SECONDS);
      }
    } finally {
      ply.destroyForcibly();
    }
  }

  private static Process withCommands(String command) throws IOException {
    return CommandProcess.start(
        "-u",
        "--unsafe",
        "BEGIN { system(\"echo ready; "
            + command
            + "\"); printf(\"after\\n\"); system(\"echo no\"); }"
            + " interval:1s { @ = count(); } END { printf(\"bye\\n\");"
            + " system(\"echo end\"); }");
  }

  /** Waits until the command of the script sleeps, and returns its processes. */
  private static List<ProcessHandle> sleepers(Process ply) {
    List<ProcessHandle> sleepers = List.of();
    while (sleepers.isEmpty() && ply.isAlive()) {
      sleepers =
          ply.descendants()
              .filter(
                  process ->
                      process.info().command().filter(name -> name.endsWith("/sleep")).isPresent())
              .toList();
    }
    assertThat(sleepers).isNotEmpty();
    return sleepers;
  }

  /** As from a terminal, and from a wrapper that passes on what it got from there. */
  @Test
  void twoInterruptsAtOnceAreOne() throws Exception {
    Process ply =
        CommandProcess.start(
            "-u", "BEGIN { printf(\"ready\\n\"); @[1] = count(); } END { printf(\"bye\\n\"); }");
    try (BufferedReader output =
        new BufferedReader(new InputStreamReader(ply.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(output.readLine()).isEqualTo("ready");
      String twice = "kill -INT $0; kill -TERM $0; kill -INT $0";
      new ProcessBuilder("sh", "-c", twice, Long.toString(ply.pid())).start().waitFor();
      assertThat(output.lines().collect(Collectors.joining("\n"))).isEqualTo("bye\n\n@:\n{ 1 }: 1");
      assertThat(ply.waitFor()).isZero();
    } finally {
      ply.destroyForcibly();
    }
  }

  /** Nobody reads, so that both are still being written when the signal comes. */
  @ParameterizedTest
  @ValueSource(
      strings = {"", "END { print(@a); printf(\"no\\n\"); }", "END { print((1, 2)); print(@a); }"})
  void aSignalLimitsTheTimeOfMapsThatAreBeingWritten(String end, @TempDir Path directory)
      throws Exception {
    Path errors = directory.resolve("errors");
    Process ply =
        CommandProcess.startUnder(
            List.of("sh", "-c", "exec \"$@\" 2>" + errors, "sh"),
            "bt",
            "-q",
            "-e",
            "config = { max_map_keys = 50000 }"
                + " BEGIN { for ($i : 0..40000) { @a[$i] = $i; } exit(); } "
                + end);
    try {
      assertThat(ply.getInputStream().read()).isPositive();
      new ProcessBuilder("sh", "-c", "kill -TERM " + ply.pid()).start().waitFor();
      assertThat(ply.waitFor()).isEqualTo(143);
      assertThat(errors)
          .content()
          .contains("error: interrupted: the remaining maps are left out\n");
    } finally {
      ply.destroyForcibly();
    }
  }

  @Test
  void aReaderThatLeavesEndsIt() throws Exception {
    Process ply = CommandProcess.start("-u", "interval:1ms { printf(\"on\\n\"); }");
    try {
      assertThat(ply.getInputStream().read()).isEqualTo('o');
      ply.getInputStream().close();
      assertThat(ply.waitFor()).isZero();
    } finally {
      ply.destroyForcibly();
    }
  }

  @Test
  void withoutUnbufferingOutputComesAllTheSame() throws Exception {
    Process ply = CommandProcess.start("BEGIN { printf(\"ready\\n\"); }");
    try {
      assertThat(ply.getInputStream().read()).isEqualTo('r');
    } finally {
      ply.destroyForcibly();
    }
  }
}
