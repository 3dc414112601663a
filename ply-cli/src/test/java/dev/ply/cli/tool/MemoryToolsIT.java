package dev.ply.cli.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.cli.Call;
import dev.ply.cli.tool.GuestMachine.Disk;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tools for memory, of which a test lets too little be there. */
@Tag("live")
@Tag("once")
@Timeout(600)
class MemoryToolsIT {
  private static final Path RESERVE = Path.of("/proc/sys/vm/min_free_kbytes");

  @BeforeEach
  void start() {
    GuestMachine.assume();
  }

  @Test
  @Answers("oomkill")
  void victimsAreShown() throws Exception {
    Path cgroup = GuestMachine.cgroup("small", "memory.max", "8M");
    long[] victim = new long[1];
    Call call =
        LiveTool.during(
            () -> {
              Process process =
                  new ProcessBuilder(
                          "sh",
                          "-c",
                          GuestMachine.in(
                              cgroup, "exec dd if=/dev/zero of=/dev/null bs=64M count=1"))
                      .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                      .redirectError(ProcessBuilder.Redirect.DISCARD)
                      .start();
              victim[0] = process.pid();
              assertThat(process.waitFor()).isEqualTo(128 + 9);
            },
            "oomkill",
            "-j");
    assertThat(call.output().lines())
        .singleElement()
        .asString()
        .contains("\"fpid\": " + victim[0] + ",", "\"fcomm\": \"dd\"")
        .endsWith("\"tpid\": " + victim[0] + "}");
  }

  /** A file in memory is written to the disk, and read back by one process. */
  @Test
  @Answers("swapin")
  void pagesThatComeBackAreCounted() throws Exception {
    Disk disk = Disk.named("plain");
    Path file = Path.of("/dev/shm/swapped");
    Path cgroup = GuestMachine.cgroup("swapping", "memory.max", "16M");
    GuestMachine.run("mkswap " + disk.device() + "; swapon " + disk.device());
    try {
      GuestMachine.run(
          GuestMachine.in(
              cgroup, "exec dd if=/dev/urandom of=" + file + " bs=1M count=32 status=none"));
      Call call =
          Call.ply(
              "tool",
              "swapin",
              "-j",
              "-i",
              "1000",
              "-c",
              "head -c 4096 " + file + " >/dev/null; exec cat " + file + " >/dev/null");
      assertThat(call.output().lines().filter(line -> line.contains("\"cat\"")))
          .singleElement()
          .satisfies(
              line ->
                  assertThat(Long.parseLong(line.replaceAll(".*: (\\d+)\\}", "$1")))
                      // A page can go again before it is read.
                      .isBetween(16L * 256, 33L * 256));
      assertThat(call.output().lines()).hasSize(1);
    } finally {
      Files.delete(file);
      GuestMachine.run("swapoff " + disk.device());
    }
  }

  /** The kernel keeps more memory for itself than there is, so that others have to free some. */
  @Test
  @Answers("drsnoop")
  void reclaimsAreShown() throws Exception {
    Disk disk = Disk.named("plain");
    String usual = Files.readString(RESERVE);
    GuestMachine.run("mkswap " + disk.device() + "; swapon " + disk.device());
    try {
      Call call =
          LiveTool.during(
              () ->
                  GuestMachine.run(
                      "free=$(sed -n 's/MemFree: *\\([0-9]*\\).*/\\1/p' /proc/meminfo);"
                          + " echo $((free + 10000)) >"
                          + RESERVE
                          + ";"
                          + " dd if=/dev/zero of=/dev/null bs=16M count=1 status=none;"
                          + " echo "
                          + usual.strip()
                          + " >"
                          + RESERVE),
              "drsnoop",
              "-j");
      assertThat(call.output().lines())
          .anyMatch(
              line ->
                  line.matches(
                      ".*\"comm\": \"(sh|dd|sed)\", \"pid\": \\d+, \"lat_ns\": \\d+, .*\\d+\\}"));
    } finally {
      Files.writeString(RESERVE, usual);
      GuestMachine.run("swapoff " + disk.device());
    }
  }
}
