package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.cli.io.ExitCode;
import dev.ply.kernel.Live;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Filters by cgroups, with one that the test creates. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class CgroupIT {
  private static final String NAME = "ply-test-" + ProcessHandle.current().pid();

  private Path cgroup = Path.of("");
  private Optional<Process> member = Optional.empty();

  private static Optional<Path> mount(String type) throws IOException {
    try (var mounts = Files.lines(Path.of("/proc/self/mounts"))) {
      return mounts
          .map(line -> line.split(" ", -1))
          .filter(fields -> fields[2].equals(type))
          .map(fields -> Path.of(fields[1]))
          .findFirst();
    }
  }

  @BeforeEach
  void createCgroup() throws IOException {
    Live.assumeTracing();
    Optional<Path> root = mount("cgroup2");
    assumeTrue(root.isPresent(), "cgroup v2 is not mounted here");
    cgroup = root.get().resolve(NAME);
    try {
      Files.createDirectory(cgroup);
    } catch (IOException e) {
      assumeTrue(false, "no cgroup can be created here: " + e);
    }
  }

  @AfterEach
  void removeCgroup() throws IOException, InterruptedException {
    if (member.isPresent()) {
      member.get().destroyForcibly().waitFor();
    }
    Files.deleteIfExists(cgroup);
  }

  private void startMember() throws IOException {
    Process process =
        new ProcessBuilder(
                "sh",
                "-c",
                "echo $$ >" + cgroup + "/cgroup.procs && echo ready; while kill -0 $$; do :; done")
            .redirectErrorStream(true)
            .start();
    member = Optional.of(process);
    String line = process.inputReader(StandardCharsets.UTF_8).readLine();
    assumeTrue("ready".equals(line), () -> "a process cannot join a cgroup here: " + line);
  }

  @Test
  void theThreadsOfACgroupAreSelectedAndItsPathIsPrinted() throws IOException {
    startMember();
    Call call =
        Call.ply(
            "tracepoint:syscalls:sys_enter_kill / cgroup == cgroupid(\""
                + cgroup
                + "\") / { printf(\"%d %v\\n\", pid, cgroup_path(cgroup)); exit(0); }");
    assertThat(call).isEqualTo(new Call(0, member.get().pid() + " /" + NAME + "\n", ""));
  }

  @Test
  void aCgroupThatIsNotThereIsAnErrorThatNamesOneThatIs() {
    String wrong = cgroup.toString().replace("test", "tset");
    Call call = Call.ply("-e", "BEGIN { print(cgroupid(\"" + wrong + "\")); }");
    assertThat(call.status()).isEqualTo(ExitCode.FAILURE);
    assertThat(call.errors())
        .contains("cgroup \"" + wrong + "\" not found", "did you mean \"" + cgroup + "\"?");
  }

  @Test
  void aDirectoryOfAnotherFileSystemIsNoCgroup() {
    Call call = Call.ply("-e", "BEGIN { print(cgroupid(\"/etc\")); }");
    assertThat(call.errors()).contains("cgroup \"/etc\" not found");
  }

  @Test
  void aCgroupOfVersionOneHasAnIdThatNoThreadHas() throws IOException {
    Optional<Path> root = mount("cgroup");
    assumeTrue(root.isPresent(), "cgroup v1 is not mounted here");
    Call call = Call.ply("-e", "BEGIN { print(cgroupid(\"" + root.get() + "\")); }");
    assertThat(call.status()).isZero();
    assertThat(call.errors()).contains("is of cgroup v1");
  }

  /** Tools trace only processes in the cgroup, however it is written. */
  @Test
  void toolsTraceACgroup() throws Exception {
    startMember();
    Process other = new ProcessBuilder("sh", "-c", "while kill -0 $$; do :; done").start();
    try {
      for (String path : List.of(cgroup.toString(), NAME, "/" + NAME)) {
        Call call = Call.ply("tool", "killsnoop", "-j", "-d", "1", "--cgroup", path);
        assertThat(call.errors()).isEmpty();
        assertThat(call.output().lines())
            .isNotEmpty()
            .allMatch(line -> line.startsWith("{\"pid\": " + member.orElseThrow().pid() + ","));
      }
    } finally {
      other.destroyForcibly();
    }
  }

  @Test
  void toolsRefuseCgroupsOfVersionOne() throws IOException {
    Optional<Path> root = mount("cgroup");
    assumeTrue(root.isPresent(), "cgroup v1 is not mounted here");
    Call call = Call.ply("tool", "killsnoop", "-d", "1", "--cgroup", root.get().toString());
    assertThat(call.errors())
        .startsWith("error: --cgroup: " + root.get() + " is of cgroup v1")
        .endsWith("give one below " + mount("cgroup2").orElseThrow() + "\n");
    assertThat(call.status()).isEqualTo(ExitCode.FAILURE);
  }
}
