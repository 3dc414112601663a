package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.Live;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The command in a PID namespace of its own, as in a container. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class PidNamespaceIT {
  /** Its own PIDs, counted from 1, and its own procfs. */
  private static final List<String> CONTAINER =
      List.of("unshare", "--pid", "--fork", "--kill-child", "--mount-proc");

  private static final String DD = "exec dd if=/dev/zero of=/dev/null bs=1 count=10 status=none";
  private static final String DD_READS =
      "tracepoint:syscalls:sys_enter_read / pid == $target && data->count == 1 /";

  @BeforeAll
  static void prepare() throws Exception {
    Live.assumeTracing();
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/unshare")), "there is no unshare here");
    List<String> nothing = new ArrayList<>(CONTAINER);
    nothing.add("true");
    Process attempt = new ProcessBuilder(nothing).redirectErrorStream(true).start();
    String complaint = output(attempt);
    assumeTrue(attempt.waitFor() == 0, () -> "no PID namespace can be made here: " + complaint);
  }

  private static String output(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static String inContainer(String... arguments) throws Exception {
    Process ply = CommandProcess.startUnder(CONTAINER, arguments);
    try {
      return output(ply);
    } finally {
      ply.destroyForcibly().waitFor();
    }
  }

  /** Runs a shell command in a container, ply being its {@code "$@"}. */
  private static String shell(String command, String... arguments) throws Exception {
    List<String> container = new ArrayList<>(CONTAINER);
    container.addAll(List.of("sh", "-c", command, "sh"));
    Process shell = CommandProcess.startUnder(container, arguments);
    try {
      return output(shell);
    } finally {
      shell.destroyForcibly().waitFor();
    }
  }

  @Test
  void plyIsTheFirstProcess() throws Exception {
    assertThat(inContainer("BEGIN { printf(\"%d %d\\n\", pid, pid(curr_ns)); exit(0); }"))
        .isEqualTo("1 1\n");
  }

  @Test
  void theInitialNamespaceHasOtherIds() throws Exception {
    String output =
        inContainer("BEGIN { printf(\"%d %d\\n\", pid(init) != pid, tid(init) != tid); exit(0); }");
    assertThat(output).isEqualTo("1 1\n");
  }

  @Test
  void theTargetIsTheProcessThatItsUserSees() throws Exception {
    assertThat(inContainer("-c", DD, DD_READS + " { @[comm] = count(); }"))
        .matches("\n@:\n\\{ dd +\\}: 10\n");
  }

  @Test
  void aProcessIsFoundByTheIdThatTheShellKnows() throws Exception {
    String output =
        shell(
            "(while :; do kill -0 $$; done) & \"$@\" $!; kill $!",
            "tracepoint:syscalls:sys_enter_kill / pid == $1 / { printf(\"%d\\n\", pid == $1 && tid"
                + " == $1 && tid(init) == data->common_pid); exit(0); }");
    assertThat(output).isEqualTo("1\n");
  }

  /** A tracepoint's record has the kernel's own number. */
  @Test
  void processesElsewhereHaveNoId() throws Exception {
    Process elsewhere = new ProcessBuilder("sh", "-c", "while :; do kill -0 $$; done").start();
    try {
      String script =
          "tracepoint:syscalls:sys_enter_kill / pid(init) == "
              + elsewhere.pid()
              + " / { printf(\"%d %d\\n\", pid, tid); exit(0); }";
      assertThat(inContainer(script)).isEqualTo("0 0\n");
    } finally {
      elsewhere.destroyForcibly().waitFor();
    }
  }

  @Test
  void processesOfNestedContainersHaveTheIdsThatTheUserSees() throws Exception {
    String output =
        shell(
            "unshare --pid --fork --kill-child sh -c 'while :; do kill -0 $$; done' & \"$@\" $!;"
                + " kill $!",
            "tracepoint:syscalls:sys_enter_kill / ppid == $1 && pid != 0 /"
                + " { printf(\"%d %d\\n\", pid == tid, pid > $1); exit(0); }");
    assertThat(output).isEqualTo("1 1\n");
  }

  @Test
  void parentsHaveIdsToo() throws Exception {
    String output =
        inContainer(
            "-c",
            "sh -c 'kill -0 1; true'; true",
            "BEGIN { printf(\"%d\\n"
                + "\", ppid); } tracepoint:syscalls:sys_enter_kill / ppid == $target / {"
                + " printf(\"%s %d\\n"
                + "\", pcomm, pid != $target); exit(0); }");
    assertThat(output).isEqualTo("0\nsh 1\n");
  }

  /** PIDs of that procfs are other processes'. */
  @Test
  void aProcfsOfAnotherNamespaceIsNotRead() throws Exception {
    Process ply =
        CommandProcess.startUnder(
            List.of("unshare", "--pid", "--fork", "--kill-child"),
            "-e",
            "uprobe:1:getppid { exit(0); }");
    try {
      assertThat(output(ply)).contains("/proc has the processes of another PID namespace");
    } finally {
      ply.destroyForcibly().waitFor();
    }
  }

  @Test
  void stacksOfProcessesHaveNames() throws Exception {
    String command = "while kill -0 $$; do :; done";
    String output =
        inContainer(
            "-c", command, "uprobe:c:kill / pid == $target / { @[ustack] = count(); exit(0); }");
    assertThat(output).contains("kill");
  }
}
