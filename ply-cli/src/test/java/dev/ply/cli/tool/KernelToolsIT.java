package dev.ply.cli.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.cli.Call;
import dev.ply.kernel.Live;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tools that need probes of kernel functions. */
@Tag("live")
@Tag("once")
@Timeout(600)
class KernelToolsIT {
  private static final String READS = "exec dd if=/dev/zero of=/dev/null bs=1024 count=300";

  /** A tool, its command, and a line that the result must have. */
  static final String KNOWN =
      """
      vfsstat     | vfs_read +30\\d
      vfslatency  | \\{ vfs_read +\\}:
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
    return lines(KNOWN);
  }

  private static Stream<Arguments> lines(String table) {
    return table
        .lines()
        .map(line -> line.split(" \\| ", -1))
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

  /** A tool that sees all processes, and a line that it must show. */
  static final String EVERYWHERE =
      """
      runqlat    | .*\\)\\s+\\d+ .*
      runqlen    | .*\\s+\\d+ .*
      cpudist    | .*\\)\\s+\\d+ .*
      softirqs   | (timer|sched|rcu|hrtimer) +\\d+
      offcputime | .*\\}: .*s
      wakeuptime | .*\\}: .*s
      execsnoop  | true +\\d+ +\\d+ +0 .*true one two
      tcpconnect | \\d+ +\\S+ +\\d +\\S*127.0.0.1 +\\S*127.0.0.1 +\\d+
      tcpaccept  | \\d+ +\\S+ +\\d +\\S*127.0.0.1 +\\d+ +\\S*127.0.0.1 +\\d+
      tcpstates  | .*127.0.0.1 +\\d+ +.*127.0.0.1 +\\d+ +SYN_SENT +ESTABLISHED +\\d+\\.\\d{3}
      tcplife    | .*127.0.0.1 +\\d+ +.*127.0.0.1 +\\d+ +\\d+ +\\d+ +\\d+\\.\\d{3}
      tcptop     | \\d+ +\\S+ +tcp_sendmsg +\\d+
      """;

  static Stream<Arguments> everywhere() {
    return lines(EVERYWHERE);
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void allProcessesAreSeen(String tool, String line) throws Exception {
    assumeTrue(System.getProperty("ply.guest") != null, "what others do is traced in guests only");
    Call call = LiveTool.during(KernelToolsIT::connectAndStart, tool);
    assertThat(call.output().lines()).anyMatch(each -> each.strip().matches(line.strip()));
    assertThat(call.errors()).doesNotContain("error");
  }

  /** Opens a connection, and starts a process. */
  private static void connectAndStart() throws IOException, InterruptedException {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Socket one = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket other = server.accept()) {
      one.getOutputStream().write(new byte[4096]);
      byte[] read = other.getInputStream().readNBytes(4096);
      assertThat(read).hasSize(4096);
    }
    int status = new ProcessBuilder("true", "one", "two").start().waitFor();
    assertThat(status).isZero();
  }
}
