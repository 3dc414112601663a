package dev.ply.cli.bpftrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.cli.Call;
import dev.ply.kernel.Live;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Watched memory. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class BpftraceWatchpointIT {
  @TempDir Path directory = Path.of("");

  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
  }

  /** Writes five times to memory at an address of its own. */
  private static final String WRITES =
      """
      import ctypes
      c = ctypes.CDLL(None)
      c.mmap.restype = ctypes.c_void_p
      p = c.mmap(ctypes.c_void_p(0x10000000), 4096, 3, 0x32, -1, ctypes.c_long(0))
      for i in range(5):
        ctypes.c_long.from_address(p).value = i
      """;

  /** Counts its own writes by a hardware breakpoint, without ply. */
  private static final String COUNTS_WRITES =
      """
      import ctypes, os, struct
      number = {"x86_64": 298, "aarch64": 241}.get(os.uname().machine, -1)
      watched = ctypes.c_long(0)
      attr = bytearray(112)
      struct.pack_into("IIQ", attr, 0, 5, 112, 0)
      struct.pack_into("=IQQ", attr, 52, 2, ctypes.addressof(watched), 8)
      buffer = (ctypes.c_char * 112).from_buffer(attr)
      event = ctypes.CDLL(None).syscall(number, buffer, 0, -1, -1, 0)
      watched.value = 1
      print(struct.unpack("q", os.read(event, 8))[0] if event >= 0 else 0)
      """;

  /** Where watchpoints are accepted, they fire or are warned of. */
  @Test
  void breakpointsThatDoNotFireAreWarnedOf() throws IOException {
    Call call =
        Call.ply("bt", "-e", "watchpoint:0x10000000:8:w { exit(); } interval:ms:1 { exit(); }");
    assertThat(call.errors().contains("hardware breakpoints do not fire on this machine"))
        .isEqualTo(call.status() == 0 && !breakpointsFire());
    assertThat(Call.ply("--info").output().contains("  hardware breakpoints (Linux 2.6): yes\n"))
        .isEqualTo(breakpointsFire());
  }

  @Test
  void memoryIsWatched() throws IOException {
    assumeTrue(breakpointsFire(), "hardware breakpoints of this machine do not fire");
    Path program = Files.writeString(directory.resolve("writes.py"), WRITES);
    Call call =
        Call.ply(
            "bt",
            "-q",
            "-c",
            "python3 " + program,
            "-e",
            "watchpoint:0x10000000:8:w / pid == $target / { @[probe] = count(); }");
    assertThat(call).isEqualTo(new Call(0, "\n\n@[watchpoint:0x10000000:8:w]: 5\n", ""));
  }

  /** The second half of the writes comes long after the first. */
  @Test
  void memoryIsWatchedUntilItIsNot() throws IOException {
    assumeTrue(breakpointsFire(), "hardware breakpoints of this machine do not fire");
    String halves = "  if i == 1: import time; time.sleep(2)\n";
    Path program = Files.writeString(directory.resolve("writes.py"), WRITES + halves);
    Call call =
        Call.ply(
            "bt",
            "-q",
            "-c",
            "python3 " + program,
            "-e",
            "watchpoint:0x10000000:8:w / pid == $target / { @++; unwatch(0x10000000); }");
    assertThat(call.errors()).isEmpty();
    assertThat(call.output()).isIn("\n\n@: 1\n", "\n\n@: 2\n");
  }

  @Test
  void whatProcessorsCannotWatchIsSaid() {
    assertThat(Call.ply("bt", "-e", "watchpoint:0x1000:8:r { @ = count(); }").errors())
        .matches(
            "(?s)error\\[not-offered\\]: this CPU (has no read-only watchpoints|cannot watch"
                + " 0x1000)\n"
                + ".*");
  }

  private static void assumePython() {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(":"))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, "python3"))),
        "there is no python3 here");
  }

  private static boolean breakpointsFire() throws IOException {
    assumePython();
    Process counting = new ProcessBuilder("python3", "-c", COUNTS_WRITES).start();
    return new String(counting.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
        .equals("1\n");
  }
}
