package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.Live;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Filters by container, cgroup and PID namespace, under storms of processes that end at once: each
 * calls kill once, with its PID as it knows it.
 */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class ContainersIT {
  private static final int STORM = 60;
  private static final String ID = "c0ffee" + "0123456789".repeat(5) + "abcdef01";
  private static final String COUNT =
      "tracepoint:syscalls:sys_enter_kill { @[data->pid == pid(container)] = count(); }";

  private Optional<Path> directory = Optional.empty();

  @TempDir Path files = Path.of("");

  private static Optional<Path> unified() throws IOException {
    try (Stream<String> mounts = Files.lines(Path.of("/proc/self/mounts"))) {
      return mounts
          .map(line -> line.split(" ", -1))
          .filter(fields -> fields[2].equals("cgroup2"))
          .map(fields -> Path.of(fields[1]))
          .filter(mount -> mount.startsWith("/sys/fs/cgroup"))
          .findFirst();
    }
  }

  @BeforeEach
  void prepare() {
    Live.assumeTracing();
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/unshare")), "there is no unshare here");
  }

  /** Returns the cgroup of a container in one of the test's own, with a cgroup beside it. */
  private Path container() throws IOException {
    Optional<Path> root = unified();
    assumeTrue(root.isPresent(), "cgroup v2 is not mounted here");
    Path own = root.get().resolve("ply-test-" + ProcessHandle.current().pid());
    directory = Optional.of(own);
    Path container = own.resolve("docker-" + ID + ".scope");
    try {
      Files.createDirectories(container.resolve("inner"));
      Files.createDirectories(own.resolve("other"));
    } catch (IOException e) {
      assumeTrue(false, "no cgroup can be created here: " + e);
    }
    return container;
  }

  /** Processes that have ended leave a cgroup a moment later. */
  @AfterEach
  void removeCgroups() throws IOException, InterruptedException {
    if (directory.isPresent()) {
      new ProcessBuilder(
              "timeout",
              "10",
              "sh",
              "-c",
              "until find \"$0\" -depth -type d -exec rmdir {} + 2>/dev/null; do :; done",
              directory.get().toString())
          .start()
          .waitFor(20, TimeUnit.SECONDS);
      assertThat(directory.get()).doesNotExist();
    }
  }

  /** Each of these processes calls kill once. */
  private static String storm() {
    return "i=0; while [ $i -lt "
        + STORM
        + " ]; do sh -c 'kill -0 $$' & sh -c 'kill -0 $$'; wait; i=$((i+1)); done";
  }

  private static String in(Path cgroup, String command) {
    return "(read self rest </proc/self/stat; echo $self >"
        + cgroup
        + "/cgroup.procs; "
        + command
        + ")";
  }

  /** Beside storms elsewhere, also of a cgroup that is made while the trace runs. */
  @Test
  void aContainerIsSelectedWithAllCgroupsBelowIt() throws IOException {
    Path container = container();
    Path later = container.resolve("inner/later");
    String command =
        in(container.resolveSibling("other"), storm())
            + " & "
            + in(container, storm())
            + " & "
            + in(container.resolve("inner"), "mkdir " + later + "; " + in(later, storm()))
            + " & "
            + storm()
            + "; wait";
    Call call = Call.ply("--container", ID.substring(0, 8), "-c", command, COUNT);
    assertThat(call).isEqualTo(new Call(0, "\n@:\n{ 1 }: " + 4 * STORM + "\n", ""));
  }

  @Test
  void allFrontEndsSelectTheSame() throws IOException {
    Path container = container();
    String command =
        in(container.resolveSibling("other"), storm()) + " & " + in(container, storm()) + "; wait";
    Path script = Files.writeString(files.resolve("script"), command);
    String expected = String.valueOf(2 * STORM);
    String cgroup = container.toString();
    assertThat(
            Call.ply(
                    "bt",
                    "--cgroup",
                    cgroup,
                    "-c",
                    "/bin/sh " + script,
                    "-e",
                    "tracepoint:syscalls:sys_enter_kill { @ = count(); }")
                .output())
        .contains("@: " + expected);
    assertThat(
            Call.ply(
                    "argdist",
                    "-c",
                    "--cgroup",
                    cgroup,
                    "--command",
                    command,
                    "-C",
                    "t:syscalls:sys_enter_kill():int:args->sig")
                .output())
        .contains(expected);
    assertThat(
            Call.ply("trace", "--cgroup", cgroup, "--command", command, "t:syscalls:sys_enter_kill")
                .output()
                .lines()
                .skip(1))
        .hasSize(2 * STORM);
    assertThat(
            Call.ply("tool", "killsnoop", "-q", "--cgroup", cgroup, "-c", "exec sh -c 'kill -0 $$'")
                .output())
        .isEmpty();
  }

  /** The ID is of the path, which tells no pod. */
  @Test
  void containersAndPodsAreKeys() throws IOException {
    Path container = container();
    Path pod = container.resolveSibling("kubepods-pod12345678_9abc_def0_1234_56789abcdef0.slice");
    Path inPod = pod.resolve("cri-containerd-" + ID.replace('c', 'b') + ".scope");
    Files.createDirectories(inPod);
    String command =
        in(container, storm()) + " & " + in(inPod, storm()) + "; wait; " + "sh -c 'kill -0 $$'";
    Call call =
        Call.ply(
            "--cgroup",
            container.resolve("..").normalize().toString(),
            "-c",
            command,
            "tracepoint:syscalls:sys_enter_kill { @[container, pod] = count(); }");
    assertThat(call.output())
        .contains(ID.substring(0, 12) + ", -")
        .contains("b0ffee012345, 12345678-9abc-def0-1234-56789abcdef0")
        .contains(": " + 2 * STORM)
        .doesNotContain(": 1\n");
  }

  /** Starts a shell in a PID namespace of its own that waits for the trace. */
  private Process waiting(String... unshare) throws IOException {
    String command =
        "while [ ! -e go ]; do sleep 0.05; done; "
            + storm()
            + "; unshare --pid --fork sh -c \""
            + storm().replace("$", "\\$")
            + "\"; touch done";
    return new ProcessBuilder(
            Stream.concat(Stream.of(unshare), Stream.of("sh", "-c", command)).toList())
        .directory(files.toFile())
        .start();
  }

  private String namespaceOf(Process unshare) throws IOException {
    Path own = Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
    while (true) {
      List<ProcessHandle> inside = unshare.children().toList();
      if (!inside.isEmpty()) {
        Path file = Path.of("/proc/" + inside.get(0).pid() + "/ns/pid");
        if (!Files.readSymbolicLink(file).equals(own)) {
          return String.valueOf(inside.get(0).pid());
        }
      }
      assertThat(unshare.isAlive()).isTrue();
    }
  }

  private void aNamespaceIsSelectedWithThoseInIt(String... unshare) throws Exception {
    Process waiting = waiting(unshare);
    try {
      String command =
          "touch "
              + files
              + "/go; "
              + storm()
              + "; while [ ! -e "
              + files
              + "/done ]; do sleep 0.05; done";
      Call call = Call.ply("--pidns", namespaceOf(waiting), "-c", command, COUNT);
      assertThat(call).isEqualTo(new Call(0, "\n@:\n{ 1 }: " + 4 * STORM + "\n", ""));
    } finally {
      waiting.destroyForcibly().waitFor();
    }
  }

  @Test
  void aPidNamespaceIsSelectedWithThoseInIt() throws Exception {
    aNamespaceIsSelectedWithThoseInIt("unshare", "--pid", "--fork", "--kill-child", "--mount-proc");
  }

  @Test
  void aPidNamespaceOfAnUnprivilegedUserIsSelected() throws Exception {
    aNamespaceIsSelectedWithThoseInIt("unshare", "-Urpf", "--kill-child", "--mount-proc");
  }

  /** The tracer's own namespace has all of its own, as the host's has all. */
  @Test
  void theOwnNamespaceIsThatOfTheTracer() {
    Call call = Call.ply("--pidns", "self", "-c", "sh -c 'kill -0 $$'", COUNT);
    assertThat(call.status()).isZero();
    assertThat(call.output()).contains("{ 1 }: ");
  }

  @Test
  void whatIsNotThereIsSaidWithWhatToGiveInstead() {
    assertThat(Call.ply("--pidns", "4194303", COUNT).errors())
        .contains("--pidns: no process 4194303");
    assertThat(Call.ply("--pidns", "mnt:[1]", COUNT).errors())
        .contains("--pidns takes a PID, self, or the inode");
    assertThat(Call.ply("--container", "no-such-container", COUNT).errors())
        .contains("is that of a container no-such-container", "docker ps");
  }

  @Test
  void aNamespaceThatNobodyIsInIsAnError() {
    assumeTrue(
        Files.isReadable(Path.of("/proc/1/ns/pid")), "the namespace of process 1 is hidden here");
    assertThat(Call.ply("--pidns", "99999999", "BEGIN { exit(0); }").errors())
        .isEqualTo("error: --pidns: no process is in a PID namespace 99999999\n");
  }
}
