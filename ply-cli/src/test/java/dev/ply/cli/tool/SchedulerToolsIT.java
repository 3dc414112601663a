package dev.ply.cli.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.cli.Call;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tools for the scheduler and for privileges. */
@Tag("live")
@Tag("once")
@Timeout(600)
class SchedulerToolsIT {
  private static final String BUSY = "timeout .3 sh -c 'while :; do :; done'";

  @BeforeEach
  void start() {
    GuestMachine.assume();
  }

  @Test
  @Answers("throttled")
  void cgroupsWithALimitAreCounted() throws Exception {
    Path cgroup = GuestMachine.cgroup("limited", "cpu.max", "20000 100000");
    Call call =
        LiveTool.during(
            () -> GuestMachine.run(GuestMachine.in(cgroup, BUSY + " || :")),
            "throttled",
            "-j",
            "-i",
            "1000");
    assertThat(call.output().lines()).isNotEmpty().allMatch(line -> line.contains("\"limited\""));
  }

  /** More processes are busy than there are CPUs. */
  @Test
  @Answers("runqslower")
  void longWaitsAreShown() throws Exception {
    int busy = 2 * Runtime.getRuntime().availableProcessors();
    LiveTool.Work work =
        () -> GuestMachine.run("for i in $(seq " + busy + "); do " + BUSY + " & done; wait");
    Call call = LiveTool.during(work, "runqslower", "-j", "-m", "1000");
    assertThat(call.output().lines())
        .anyMatch(line -> line.contains("\"comm\": \"sh\""))
        .allMatch(
            line -> Long.parseLong(line.replaceAll(".*\"lat_ns\": (\\d+).*", "$1")) >= 1_000_000);
    List<String> none =
        LiveTool.during(work, "runqslower", "-j", "-p", "1").output().lines().toList();
    assertThat(none).allMatch(line -> line.contains("\"tid\": 1,"));
  }

  @Test
  @Answers("capable")
  void checksOfCapabilitiesAreShown() {
    String root = "chroot / true";
    Call call = Call.ply("tool", "capable", "-j", "-c", root + "; exec " + root);
    // CAP_SYS_CHROOT.
    assertThat(call.output().lines().filter(line -> line.contains("\"cap\": 18,")))
        .singleElement()
        .asString()
        .contains("\"uid\": 0,", "\"comm\": \"chroot\"", "\"audit\": 1");
  }
}
