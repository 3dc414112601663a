package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.Live;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A machine whose online processors are not numbered one after the other. */
@Tag("live")
@Tag("oldest")
@Timeout(300)
@EnabledIfSystemProperty(
    named = "ply.guest",
    matches = ".+",
    disabledReason = "takes a processor off line: only where the machine is the test's own")
class CpuHolesIT {
  private static final Path CPUS = Path.of("/sys/devices/system/cpu");
  private static final Path SWITCH = CPUS.resolve("cpu1/online");

  @BeforeAll
  static void makeAHole() throws IOException {
    Live.assumeTracing();
    assumeTrue(Files.exists(CPUS.resolve("cpu2")), "a hole takes three processors");
    Files.writeString(SWITCH, "0");
    assertThat(Files.readString(CPUS.resolve("online")).strip()).isEqualTo("0,2");
  }

  @AfterAll
  static void fillIt() throws IOException {
    if (Files.exists(SWITCH)) {
      Files.writeString(SWITCH, "1");
    }
  }

  @Test
  void eachProcessorIsSampledAndItsCountsAreSummed() {
    Call sampled = Call.ply("-c", "sleep 1", "profile:49hz { @[cpu] = count(); }");
    assertThat(sampled.output())
        .containsPattern("\\{ +0 }: [1-9]")
        .containsPattern("\\{ +2 }: [1-9]");
    assertThat(sampled.output()).doesNotContainPattern("\\{ +1 }: ");
    Call summed =
        Call.ply(
            "-c",
            "for i in 0 2; do taskset $((1 << i)) dd if=/dev/zero of=/dev/null bs=1 count=500"
                + " status=none; done",
            "tracepoint:syscalls:sys_enter_write / !strcmp(comm, \"dd\") && data->count == 1 /"
                + " { @[comm] = count(); @cpus[cpu] = count(); }");
    assertThat(summed.output()).contains("{ dd }: 1000\n").contains(": 500\n");
  }

  @Test
  void theProcessorInTheHoleIsToldToBeOffline() {
    Call call = Call.ply("profile:1:99hz { exit(0); }");
    assertThat(call.errors())
        .contains("CPU 1 of this machine is not online")
        .contains("online are 0,2");
    assertThat(call.status()).isEqualTo(1);
  }
}
