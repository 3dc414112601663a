package dev.ply.cli.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.cli.Call;
import dev.ply.kernel.Live;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tools that need probes of kernel functions. */
@Tag("live")
@Timeout(600)
class KernelToolsIT {
  private static final String READS = "exec dd if=/dev/zero of=/dev/null bs=1024 count=300";

  /** A tool, its command, and a line that the result must have. */
  private static final String KNOWN =
      """
      vfsstat     | vfs_read +30\\d
      vfslatency  | \\{ vfs_read\\}
      filetop     | \\d+ +dd +vfs_read +zero +30\\d
      funccount   | vfs_read +30\\d
      funclatency | .*\\)\\s+\\d+ .*
      stackcount  | ksys_read\\+\\d+
      """;

  @BeforeEach
  void assumeKprobes() {
    Live.assumeTracing();
    assumeTrue(
        Files.exists(Path.of("/sys/bus/event_source/devices/kprobe")),
        "this kernel has no kprobes");
  }

  static Stream<Arguments> known() {
    return KNOWN
        .lines()
        .map(line -> line.split(" \\| "))
        .map(parts -> Arguments.of(parts[0].strip(), parts[1]));
  }

  @ParameterizedTest
  @MethodSource("known")
  void answersAreRight(String tool, String line) {
    Stream<String> operand = tool.matches("func.*|stack.*") ? Stream.of("vfs_read") : Stream.of();
    Call call =
        Call.ply(
            Stream.of(Stream.of("tool", tool), operand, Stream.of("-c", READS))
                .flatMap(words -> words)
                .toArray(String[]::new));
    assertThat(call.output().lines()).anyMatch(each -> each.strip().matches(line.strip()));
    assertThat(call.status()).isZero();
  }

  /** Those whose events a test cannot cause at will have what they need, at least. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "cachestat",
        "capable",
        "fsdist",
        "fsslower",
        "swapin",
        "tcpaccept",
        "tcprtt",
        "tcptop",
        "throttled"
      })
  void kernelsHaveWhatToolsNeed(String tool) {
    Call call = Call.ply("tool", tool, "--dry-run");
    assertThat(List.of(call.status(), call.output())).isEqualTo(List.of(0, ""));
  }
}
