package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.Live;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Raw tracepoints hand objects of the kernel on, on kernels without fentry, too. */
@Tag("live")
class KernelObjectsIT {
  /** A connection that nobody takes: a packet and its answer. */
  private static final String CONNECT = "(: >/dev/tcp/127.0.0.1/1) 2>/dev/null\n";

  private static final String IN_BASH = " / comm == \"bash\" / ";

  @TempDir private Path directory;

  @BeforeEach
  void assumeLoopback() throws IOException {
    Live.assumeTracing();
    assumeTrue(Files.exists(Path.of("/sys/kernel/btf/vmlinux")), "this kernel has no BTF");
    assumeTrue(Files.exists(Path.of("/bin/bash")), "this machine has no bash");
    assumeTrue(
        NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress()).isUp(),
        "this machine's loopback interface is down");
  }

  private String trace(String program) throws IOException {
    Path script = Files.writeString(directory.resolve("connect"), CONNECT);
    Call call = Call.ply("bt", "-q", "-c", "/bin/bash " + script, "-e", program);
    assertThat(call.errors()).doesNotContain("error");
    return call.output();
  }

  /** The packet has a buffer of its own: the exit must not overtake it. */
  @Test
  void aPacketBeforeTheExitIsWritten() throws IOException {
    Path file = directory.resolve("out.pcap");
    String program =
        "rawtracepoint:net_dev_queue"
            + IN_BASH
            + "{ $r = skboutput(\""
            + file
            + "\", (struct sk_buff *)arg0, args.skb->len, 14); print($r); exit(); }";
    assertThat(trace(program).strip()).startsWith("0");
    ByteBuffer packets = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(packets.getInt(0)).isEqualTo(0xa1b2c3d4);
    // IPv4, TCP, from 127.0.0.1.
    assertThat(packets.get(40)).isEqualTo((byte) 0x45);
    assertThat(packets.get(49)).isEqualTo((byte) 6);
    assertThat(packets.getInt(52)).isEqualTo(0x0100007f);
  }

  @Test
  void socketsHaveNumbers() throws IOException {
    String number = "socket_cookie((struct sock *)arg0)";
    assertThat(
            trace(
                "rawtracepoint:inet_sock_set_state"
                    + IN_BASH
                    + "{ @[socket_cookie(args.sk)] = count(); @same["
                    + number
                    + " == socket_cookie(args.sk)] = count(); }"))
        .containsPattern("@\\[[1-9]\\d*\\]: [1-9]")
        .containsPattern("@same\\[true\\]: [1-9]")
        .doesNotContain("@same[false]");
  }
}
