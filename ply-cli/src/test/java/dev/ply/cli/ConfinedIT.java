package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.cli.io.ExitCode;
import dev.ply.kernel.Live;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command with less than all privileges, and on a machine that lacks what is usual. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class ConfinedIT {
  private static final String COUNT_READS =
      "tracepoint:syscalls:sys_enter_read / !strcmp(comm, \"dd\") && data->count == 1 /"
          + " { @[comm] = count(); }";
  private static final String DD = "exec dd if=/dev/zero of=/dev/null bs=1 count=10 status=none";
  private static final String MOUNTED = "tracefs";

  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
  }

  /** How a run went. */
  private record Run(int status, String output) {}

  private static Run run(List<String> program, String... arguments)
      throws IOException, InterruptedException {
    assumeInstalled(program.get(0));
    Process ply = CommandProcess.startUnder(program, arguments);
    try {
      String output = new String(ply.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Run(ply.waitFor(), output);
    } finally {
      ply.destroyForcibly();
    }
  }

  private static void assumeInstalled(String program) {
    assumeTrue(
        Stream.of("/usr/bin/", "/usr/sbin/", "/bin/", "/sbin/")
            .anyMatch(directory -> Files.isExecutable(Path.of(directory + program))),
        () -> "there is no " + program + " on this machine");
  }

  /** The user stays root, who owns tracefs, but may do nothing that other users may not. */
  private static List<String> withCapabilities(String... names) {
    String kept = "-all" + Stream.of(names).map(name -> ",+" + name).reduce("", String::concat);
    return List.of("setpriv", "--inh-caps=" + kept, "--bounding-set=" + kept);
  }

  @Test
  void twoCapabilitiesAreEnough() throws Exception {
    Run run = run(withCapabilities("bpf", "perfmon"), "-c", DD, COUNT_READS);
    assertThat(run.output()).matches("\n@:\n\\{ dd +\\}: 10\n");
    assertThat(run.status()).isZero();
    Run sampling =
        run(withCapabilities("bpf", "perfmon"), "profile:999hz { printf(\"on\\n\"); exit(0); }");
    int paranoia =
        Integer.parseInt(Files.readString(Path.of("/proc/sys/kernel/perf_event_paranoid")).strip());
    if (paranoia > 2) {
      // As Debian has it: perf events are root's.
      assertThat(sampling.output())
          .contains("kernel.perf_event_paranoid is " + paranoia)
          .contains("CAP_SYS_ADMIN");
    } else {
      assertThat(sampling.output()).startsWith("on\n");
    }
  }

  @ParameterizedTest
  @CsvSource({"bpf,CAP_PERFMON", "perfmon,CAP_BPF"})
  void theCapabilityThatIsMissingIsNamed(String kept, String missing) throws Exception {
    Run run = run(withCapabilities(kept), "interval:1s { exit(0); }");
    assertThat(run.status()).isEqualTo(ExitCode.FAILURE);
    assertThat(run.output()).startsWith("error: this process lacks " + missing + ":");
  }

  @Test
  void rootOfAUserNamespaceIsToldThatItIsNone() throws Exception {
    Run run = run(List.of("unshare", "--user", "--map-root-user"), "interval:1s { exit(0); }");
    assumeTrue(!run.output().startsWith("unshare:"), run.output());
    assertThat(run.status()).isEqualTo(ExitCode.FAILURE);
    assertThat(run.output()).contains("in its user namespace only");
  }

  /** Where / is no mount point, as in a chroot, unshare cannot make its mounts private. */
  private static void assumeMountNamespaces() throws IOException, InterruptedException {
    assumeInstalled("unshare");
    Process unshare =
        new ProcessBuilder("unshare", "--mount", "true").redirectErrorStream(true).start();
    String output = new String(unshare.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assumeTrue(unshare.waitFor() == 0, output);
  }

  private static List<String> withoutTracefs(String... before) {
    List<String> command = new ArrayList<>(List.of(before));
    // Wherever it is mounted, and debugfs that brings it along, in a namespace of mounts that goes
    // with the process.
    command.addAll(
        List.of(
            "unshare",
            "--mount",
            "sh",
            "-c",
            "for round in 1 2 3; do while read -r device place type rest; do"
                + " case $type in tracefs|debugfs) umount \"$place\" ;; esac;"
                + " done </proc/mounts; done 2>/dev/null;"
                + " grep -c tracefs /proc/mounts; \"$@\"; status=$?;"
                + " grep -c tracefs /proc/mounts; exit $status",
            "sh"));
    return command;
  }

  @Test
  void tracefsIsMountedForTheRunAlone() throws Exception {
    assumeTrue(Files.readString(Path.of("/proc/mounts")).contains(MOUNTED), "tracefs is hidden");
    assumeMountNamespaces();
    Run run = run(withoutTracefs(), "-c", DD, COUNT_READS);
    assertThat(run.output()).matches("0\n\n@:\n\\{ dd +\\}: 10\n0\n");
    assertThat(run.status()).isZero();
  }

  @Test
  void whoMayNotMountTracefsIsToldWhoMay() throws Exception {
    List<String> command = new ArrayList<>(withoutTracefs());
    command.addAll(withCapabilities("bpf", "perfmon"));
    assumeInstalled("setpriv");
    assumeMountNamespaces();
    Run run = run(command, "-c", DD, COUNT_READS);
    assertThat(run.output())
        .contains(
            "tracefs is not mounted, and this process may not mount it (operation not permitted):"
                + " as root, run mount -t tracefs tracefs /sys/kernel/tracing");
    assertThat(run.status()).isEqualTo(ExitCode.FAILURE);
    // What needs no tracefs works all the same.
    assertThat(run(command, "BEGIN { exit(3); }")).isEqualTo(new Run(3, "0\n0\n"));
  }
}
