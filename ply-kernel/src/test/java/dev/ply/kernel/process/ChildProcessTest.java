package dev.ply.kernel.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.type.TextBytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ChildProcessTest {
  /** {@code -Dharness.repeats=N} makes it more often. */
  private static final int REPEATS = Integer.getInteger("harness.repeats", 5);

  @TempDir Path directory = Path.of("");

  private static ChildProcess start(String command) {
    return ChildProcess.start(
        ChildCommand.shell(command), List.of("PATH=" + System.getenv("PATH")));
  }

  private static int run(String command) throws Exception {
    try (ChildProcess child = start(command)) {
      child.release();
      return child.status().get(30, TimeUnit.SECONDS);
    }
  }

  /** Runs a command that writes to a file, and returns that. */
  private String output(String command) throws Exception {
    Path file = directory.resolve("output");
    run("{ " + command + "\n} >" + file);
    return TextBytes.decode(Files.readAllBytes(file));
  }

  @Test
  void theCommandRunsOnceReleasedUnderThePidThatWasKnownBefore() throws Exception {
    Path file = directory.resolve("pid");
    try (ChildProcess child = start("echo $$ >" + file + "; true")) {
      assertThat(file).doesNotExist();
      child.release();
      assertThat(child.status().get(30, TimeUnit.SECONDS)).isZero();
      assertThat(Files.readString(file).strip()).isEqualTo(Long.toString(child.pid()));
    }
  }

  /** Some shells fork for the only command, some do not. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "PROGRAM",
        "PROGRAM 2>&1",
        "  PROGRAM 3 4",
        "A=1 PROGRAM '(b; c)' \"d\"",
        "cd / && PROGRAM",
        "cd / && exec PROGRAM",
        "export A=1; umask 77; PROGRAM 2>&1;"
      })
  void aSimpleCommandHasThePidItself(String command) throws Exception {
    Path file = directory.resolve("pid");
    Path program = directory.resolve("program");
    Files.writeString(program, "#!/bin/sh\necho $$ >" + file + "\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    try (ChildProcess child = start(command.replace("PROGRAM", program.toString()))) {
      child.release();
      child.status().get(30, TimeUnit.SECONDS);
      assertThat(Files.readString(file).strip()).isEqualTo(Long.toString(child.pid()));
    }
  }

  /** Whether the shell would fork for the last program, or not. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "PROGRAM; PROGRAM",
        "true && PROGRAM",
        "PROGRAM | PROGRAM",
        "if true; then PROGRAM; fi",
        "(PROGRAM)",
        "eval PROGRAM",
        "! PROGRAM",
        "PROGRAM & wait"
      })
  void programsOfOtherCommandsAreChildrenOfTheProcess(String command) throws Exception {
    Path file = directory.resolve("parents");
    Path program = directory.resolve("program");
    Files.writeString(program, "#!/bin/sh\necho $PPID >>" + file + "\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    ChildCommand shell = ChildCommand.shell(command.replace("PROGRAM", program.toString()));
    assertThat(shell.staysShell()).isTrue();
    try (ChildProcess child = ChildProcess.start(shell, List.of("PATH=" + System.getenv("PATH")))) {
      child.release();
      child.status().get(30, TimeUnit.SECONDS);
      assertThat(Files.readAllLines(file)).containsOnly(Long.toString(child.pid()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ls", "A=1 ls -l", "cd / && ./app", "echo a", "a; exec b", "exec b"})
  void otherProcessesAreNoShellsForLong(String command) {
    assertThat(ChildCommand.shell(command).staysShell()).isFalse();
  }

  @Test
  void aCommandHasNoParameters() throws Exception {
    assertThat(output("echo $0 $# \"$*\"; echo 2")).isEqualTo("/bin/sh 0 \n2\n");
  }

  @Test
  void aCommandThatIsNeverReleasedNeverRuns() throws Exception {
    Path file = directory.resolve("ran");
    ChildProcess child = start("touch " + file);
    child.close();
    assertThat(child.status().get(30, TimeUnit.SECONDS)).isNotZero();
    assertThat(file).doesNotExist();
  }

  @Test
  void anEndIsNeverMissed() throws Exception {
    for (int i = 0; i < REPEATS; i++) {
      assertThat(run("exit 3")).isEqualTo(3);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/nosuch", "/nosuch 1 2", "nosuch; nosuch", "exec /nosuch"})
  void aProgramThatIsNotFoundIs127(String command) throws Exception {
    assertThat(run(command)).isEqualTo(127);
  }

  @Test
  void aCommandThatDiesWhileItWaitsEndsToo() throws Exception {
    try (ChildProcess child = start("true")) {
      ProcessHandle.of(child.pid()).orElseThrow().destroyForcibly();
      assertThat(child.status().get(30, TimeUnit.SECONDS)).isEqualTo(137);
      child.release();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sleep 1000",
        "sleep 1000; true",
        "sleep 1000 | cat",
        "trap '' TERM; sleep 1000; sleep 1000",
        "(trap '' TERM; sleep 1000; sleep 1000)"
      })
  void closingEndsAllOfARunningCommand(String command) throws Exception {
    ChildProcess child = start("echo >" + directory.resolve("begun") + "; " + command);
    List<ProcessHandle> all;
    try (child) {
      child.release();
      ProcessHandle shell = ProcessHandle.of(child.pid()).orElseThrow();
      while (shell.descendants().filter(ChildProcessTest::sleeps).findAny().isEmpty()) {
        Thread.onSpinWait();
      }
      all = Stream.concat(Stream.of(shell), shell.descendants()).toList();
    }
    assertThat(child.status().get(30, TimeUnit.SECONDS)).isGreaterThan(128);
    for (ProcessHandle each : all) {
      each.onExit().get(30, TimeUnit.SECONDS);
    }
  }

  private static boolean sleeps(ProcessHandle process) {
    return process.info().command().filter(command -> command.endsWith("/sleep")).isPresent();
  }

  @Test
  void whatAnEndedCommandLeftInTheBackgroundStays() throws Exception {
    String pid = output("sleep 1000 >&- 2>&- & echo $!").strip();
    Optional<ProcessHandle> left = ProcessHandle.of(Long.parseLong(pid));
    assertThat(left).isPresent();
    assertThat(left.get().isAlive()).isTrue();
    left.get().destroyForcibly();
  }

  @Test
  void theCommandHasStandardDescriptorsOnly() throws Exception {
    try (var open = Files.newInputStream(Path.of("/proc/self/maps"))) {
      assertThat(open.read()).isPositive();
      // Descriptor 3 is the directory that ls reads.
      assertThat(output("ls /proc/self/fd | tr '\\n' ' '")).matches("0 1 2 3 ");
    }
  }

  @Test
  void bytesOfTheCommandAndOfTheEnvironmentAreKept() throws Exception {
    byte[] bytes = new byte[255];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i + 1);
    }
    String all = TextBytes.decode(bytes).replace("'", "");
    assertThat(output("printf %s '" + all + "'")).isEqualTo(all);
    Path file = directory.resolve("environment");
    try (ChildProcess child =
        ChildProcess.start(
            ChildCommand.shell("printf %s \"$ALL\" >" + file), List.of("ALL=" + all))) {
      child.release();
      child.status().get(30, TimeUnit.SECONDS);
    }
    assertThat(TextBytes.decode(Files.readAllBytes(file))).isEqualTo(all);
  }

  @Test
  void aProgramIsRunWithoutAShell() throws Exception {
    Path file = directory.resolve("arguments");
    Path program = directory.resolve("a program");
    Files.writeString(program, "#!/bin/sh\nprintf '%s\\n' \"$$\" \"$@\" >" + file + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    List<String> words = List.of(program.getFileName().toString(), "$HOME", "a  b", ";", "it's");
    try (ChildProcess child =
        ChildProcess.start(
            ChildCommand.program(words), List.of("PATH=" + directory, "HOME=" + directory))) {
      child.release();
      assertThat(child.status().get(30, TimeUnit.SECONDS)).isZero();
      assertThat(file).hasContent(child.pid() + "\n$HOME\na  b\n;\nit's");
    }
  }

  @Test
  void theCommandIsOfAProcessGroupOfItsOwn() throws IOException {
    try (ChildProcess child = start("true")) {
      String stat =
          Files.readString(Path.of("/proc/" + child.pid() + "/stat"), StandardCharsets.ISO_8859_1);
      assertThat(stat).contains(" " + child.pid() + " ");
    }
  }
}
