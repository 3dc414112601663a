package dev.ply.cli.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.cli.Call;
import dev.ply.kernel.Live;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tools show exactly what one process does while another does the same. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class BesideOthersIT {
  /**
   * A tool, a command that is run by a process of its own and then by the traced one, and the only
   * lines of the result that have their beginning.
   */
  static final String KNOWN =
      """
      opensnoop -n cat  | cat /etc/hostname                | "comm": "cat", "fd": 3, "err": 0, "path": "/etc/host
      opensnoop -x      | cat /etc/none/a                  | "comm": "cat", "fd": -1, "err": 2, "path": "/etc/none
      statsnoop -x      | env [ -e /etc/none/a ]           | "comm": "[", "fd": -1, "err": 2, "path": "/etc/none
      killsnoop         | env kill -0 1                    | "comm": "kill", "sig": 0, "tpid": 1, "result": 0}
      killsnoop -xs 0   | env kill -0 4194304              | "comm": "kill", "sig": 0, "tpid": 4194304, "result": -3}
      exitsnoop -x      | sh -c "exit 3"                   | "code": 3, "signal": "0"}
      gethostlatency    | getent ahosts localhost          | "host": "localhost"}
      mountsnoop        | unshare -m mount -i -t tmpfs mine /mnt | "target": "/mnt"}
      """;

  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
  }

  static Stream<Arguments> known() {
    return KNOWN
        .lines()
        .map(line -> line.split(" +\\| ", -1))
        .map(parts -> Arguments.of(parts[0], parts[1], parts[2].strip()));
  }

  @ParameterizedTest
  @MethodSource("known")
  void oneProcessIsShown(String tool, String command, String end) {
    Call call = call(tool + " -j", "-c", command + "; exec " + command);
    assertThat(call.output().lines().filter(line -> line.contains(end))).hasSize(1);
    assertThat(call.errors()).doesNotContain("error");
  }

  /** Of the dd that is traced, not of the one before it. */
  @Test
  void countsAreThoseOfOneProcess() {
    String copy = "dd if=/dev/zero of=/dev/null bs=1 count=3000 status=none";
    assertThat(call("syscount -j", "-c", copy + "; exec " + copy).output())
        .containsPattern("\"syscall\": \"write\", \"value\": 3000\\}")
        .containsPattern("\"syscall\": \"read\", \"value\": 300\\d\\}");
  }

  /** Calls that never return, and the one whose number is gone when it does. */
  @Test
  void allCallsAreCountedByTheirNames() {
    Call call = call("syscount -j -T 99", "-c", "trap 'exit 0' USR1; kill -USR1 $$; :");
    assertThat(call.output())
        .contains("\"exit_group\", \"value\": 1}")
        .contains("\"kill\", \"value\": 1}")
        .contains("\"rt_sigreturn\", \"value\": 1}")
        .doesNotContain("\"-1\"");
    call = call("syscount -j -x", "-c", "[ -e /etc/none ]; exit 1");
    assertThat(call.output()).doesNotContain("exit_group").contains("\"value\": 1}");
    call = call("syscount -j -e 2", "-c", "[ -e /etc/none ]; exit 1");
    assertThat(call.output()).doesNotContain("exit_group").contains("\"value\": ");
  }

  @Test
  @Answers("mountsnoop")
  void mountsAreShownWithTheirResults(@TempDir Path directory) {
    Call call = call("mountsnoop -j", "-c", "exec unshare -m mount -i -t tmpfs mine " + directory);
    assertThat(call.output().lines())
        .anyMatch(
            line ->
                line.contains("\"comm\": \"mount\"")
                    && line.contains("\"ret\": 0")
                    && line.endsWith("\"target\": \"" + directory + "\"}"));
  }

  /** As mount of util-linux from 2.39 on does it. */
  @Test
  @Answers("mountsnoop")
  void mountsByNewerCallsAreShown(@TempDir Path directory) throws IOException {
    assumeTrue(Files.exists(Path.of("/usr/bin/perl")), "there is no Perl here");
    Path script =
        Files.writeString(
            directory.resolve("mount.pl"),
            """
            my ($type, $key, $source, $empty, $none) = ("tmpfs", "source", "mine", "", "/none");
            my $fs = syscall(430, $type, 0);
            syscall(431, $fs, 1, $key, $source, 0);
            syscall(431, $fs, 6, 0, 0, 0);
            my $mount = syscall(432, $fs, 0, 0);
            syscall(429, $mount, $empty, -100, $ARGV[0], 4);
            syscall(429, $mount, $empty, -100, $none, 4);
            """);
    Call call =
        call("mountsnoop -j -n perl", "-c", "exec unshare -m perl " + script + " " + directory);
    assertThat(call.output().lines().map(line -> line.replaceAll("\"pid\": \\d+, ", "")))
        .containsExactly(
            "{\"comm\": \"perl\", \"call\": \"move\", \"ret\": 0, \"fs\": \"tmpfs\","
                + " \"source\": \"mine\", \"target\": \""
                + directory
                + "\"}",
            "{\"comm\": \"perl\", \"call\": \"move\", \"ret\": -2, \"fs\": \"\","
                + " \"source\": \"\", \"target\": \"/none\"}");
  }

  @Test
  @Answers("bindsnoop")
  void bindsAreShownWithTheirResults() throws Exception {
    InetAddress local = InetAddress.getLoopbackAddress();
    int[] port = new int[1];
    Call call =
        LiveTool.during(
            () -> {
              try (ServerSocket free = new ServerSocket(0, 1, local)) {
                port[0] = free.getLocalPort();
              }
              try (ServerSocket one = new ServerSocket(port[0], 1, local);
                  ServerSocket other = new ServerSocket()) {
                other.setReuseAddress(false);
                try {
                  other.bind(new InetSocketAddress(local, one.getLocalPort()));
                } catch (IOException e) {
                  assertThat(e).hasMessageContaining("in use");
                }
              }
            },
            "bindsnoop",
            "-j",
            "-p",
            String.valueOf(ProcessHandle.current().pid()));
    assertThat(call.output().lines().filter(line -> line.contains(": " + port[0] + "}")))
        .satisfiesExactly(
            line -> assertThat(line).contains("\"ret\": 0,").contains("127.0.0.1\""),
            line -> assertThat(line).contains("\"ret\": -98,").contains("127.0.0.1\""));
    assertThat(call.errors()).isEmpty();
  }

  /** Writes to one file wait for each other. */
  @Test
  @Answers("klockstat")
  void waitsForLocksOfTheKernelAreAddedUp(@TempDir Path directory) throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    LiveTool.Work work =
        () -> {
          CyclicBarrier begin = new CyclicBarrier(4);
          List<Thread> writers = new ArrayList<>();
          for (int i = 0; i < begin.getParties(); i++) {
            Thread writer = new Thread(() -> write(file, begin), "writer");
            writer.start();
            writers.add(writer);
          }
          for (Thread writer : writers) {
            writer.join();
          }
        };
    String own = String.valueOf(ProcessHandle.current().pid());
    assertThat(LiveTool.during(work, "klockstat", "-p", own).output()).contains("write");
    assertThat(LiveTool.during(work, "klockstat", "-p", own, "-n", "nobodyhasit").output())
        .isBlank();
  }

  /** A shell waits for a process of its own. */
  @Test
  @Answers("offcputime")
  void waitsOfAProcessAreAddedUp() throws Exception {
    String naps = "while read line; do sleep 0.2; echo done; done";
    Process traced = new ProcessBuilder("sh", "-c", naps).start();
    try {
      Call call =
          LiveTool.during(
              () -> {
                traced.getOutputStream().write('\n');
                traced.getOutputStream().flush();
                assertThat(traced.getInputStream().readNBytes(5)).asString().isEqualTo("done\n");
              },
              "offcputime",
              "-j",
              "-p",
              String.valueOf(traced.pid()));
      assertThat(call.output().lines())
          .isNotEmpty()
          .allMatch(line -> line.contains(": \"sh\", \"value\": "));
      assertThat(call.output().lines().filter(line -> line.contains("do_wait+")))
          .anyMatch(line -> Long.parseLong(line.replaceAll(".*: (\\d+)\\}", "$1")) >= 190_000_000);
    } finally {
      traced.destroyForcibly();
    }
  }

  private static void write(Path file, CyclicBarrier begin) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 20);
      begin.await();
      for (int i = 0; i < 100; i++) {
        channel.write(bytes.clear(), 0);
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static Call call(String tool, String... more) {
    return Call.ply(
        Stream.of(Stream.of("tool"), Stream.of(tool.split(" ", -1)), Stream.of(more))
            .flatMap(words -> words)
            .toArray(String[]::new));
  }
}
