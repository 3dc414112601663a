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
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What bpftrace's programs see in functions of the kernel: on kernels with kprobes and fentry. */
@Tag("live")
@Timeout(300)
class KernelFunctionIT {
  private static final String COPY = "dd if=/dev/zero of=/dev/null bs=512 count=3 status=none";
  private static final String DD = " /comm == \"dd\"/ ";

  @BeforeEach
  void assumeFunctions() {
    Live.assumeTracing();
    assumeTrue(
        Files.exists(Path.of("/sys/bus/event_source/devices/kprobe")),
        "this kernel has no kprobes");
    assumeTrue(Files.exists(Path.of("/sys/kernel/btf/vmlinux")), "this kernel has no BTF");
  }

  private static String trace(String command, String program) {
    Call call = Call.ply("bt", "-q", "-c", command, "-e", program);
    assertThat(call.errors()).doesNotContain("error");
    return call.output();
  }

  @Test
  void clausesOfOneFunctionRunInTheirOrder() {
    for (String kind : List.of("kprobe", "fentry")) {
      String at = kind + ":vfs_write";
      assertThat(
              trace(
                  COPY,
                  at
                      + DD
                      + "{ printf(\"1\"); } "
                      + at
                      + ","
                      + kind
                      + ":vfs_read"
                      + DD
                      + "{ if (func == \"vfs_write\") { printf(\"2\"); } } "
                      + at
                      + DD
                      + "{ printf(\"3\"); }"))
          .contains("123123123");
    }
  }

  @Test
  void argumentsAndResultsHaveTheirTypes() {
    assertThat(
            trace(
                COPY,
                "fentry:vfs_write"
                    + DD
                    + "{ @entered[func, args.count] = count(); } fexit:vfs_write"
                    + DD
                    + "{ @left[retval == args.count, args.file != 0] = count(); }"
                    + " kprobe:vfs_write"
                    + DD
                    + "{ @raw[arg2] = count(); } kretprobe:vfs_write"
                    + DD
                    + "{ @sum = sum(retval); }"))
        .contains("@entered[vfs_write, 512]: 3")
        .contains("@left[true, true]: 3")
        .contains("@raw[512]: 3")
        .contains("@sum: 1536");
  }

  @Test
  @Tag("once")
  void anUnknownFunctionIsReported() {
    String probes = "kprobe:vfs_write,kprobe:vfs_nonsense" + DD + "{ @[probe] = count(); }";
    Call refused = Call.ply("bt", "-q", "-c", COPY, "-e", probes);
    assertThat(refused.status()).isNotZero();
    assertThat(refused.errors()).contains("vfs_nonsense");
    Call warned =
        Call.ply("bt", "-q", "-c", COPY, "-e", "config = {missing_probes=warn} " + probes);
    assertThat(warned.errors()).contains("this kernel has no function \"vfs_nonsense\"");
    assertThat(warned.output()).contains("@[kprobe:vfs_write]: 3");
    Call ignored =
        Call.ply("bt", "-q", "-c", COPY, "-e", "config = {missing_probes=ignore} " + probes);
    assertThat(ignored.errors()).doesNotContain("vfs_nonsense");
    assertThat(ignored.output()).contains("@[kprobe:vfs_write]: 3");
  }

  @Test
  @Tag("once")
  void lessonsOfTheTutorialWork() {
    assertThat(
            trace(
                "dd if=/dev/zero of=/dev/null bs=300 count=40 status=none",
                "kretprobe:vfs_read" + DD + "{ @bytes = lhist(retval, 0, 2000, 200); }"))
        .containsPattern("\\[200, 400\\) +40 \\|");
    assertThat(
            trace(
                COPY,
                "kprobe:vfs_read { @start[tid] = nsecs; } kretprobe:vfs_read /@start[tid]/"
                    + " { @ns[comm] = hist(nsecs - @start[tid]); delete(@start, tid); }"))
        .containsPattern("@ns\\[dd\\]:\n\\[\\d+[KM]?, \\d+[KM]?\\)");
    assertThat(
            trace(
                "cat /etc/hosts",
                "kprobe:vfs_open { printf(\"open path: %s\\n\","
                    + " str(((struct path *)arg0)->dentry->d_name.name)); }"))
        .contains("open path: hosts\n");
  }

  @Test
  void pathsAreWhole() {
    assertThat(
            trace(
                "cat /etc/hosts",
                "fentry:security_file_open /comm == \"cat\"/ { @[path(args.file.f_path)] = count();"
                    + " @length = max(sizeof(path(args.file.f_path, 8))); }"
                    + " fexit:security_inode_getattr /comm == \"cat\"/"
                    + " { @stat[path(args.path), retval] = count(); }"))
        .contains("@[/etc/hosts]: 1")
        .contains("@stat[/etc/hosts, 0]: ")
        .contains("@length: 8");
  }

  /** A program that connects sends a packet to itself. */
  @Test
  void packetsAreWrittenToFiles(@TempDir Path directory) throws IOException {
    assumeTrue(
        NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress()).isUp(),
        "this machine's loopback interface is down");
    Path file = directory.resolve("out.pcap");
    assertThat(
            trace(
                "wget -q -O /dev/null http://127.0.0.1:1/",
                "fentry:dev_hard_start_xmit /comm == \"wget\"/ { @[skboutput(\""
                    + file
                    + "\", args.first, args.first.len, 14)] = count(); }"))
        .contains("@[0]: ");
    ByteBuffer packets = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(packets.getInt(0)).isEqualTo(0xa1b2c3d4);
    assertThat(packets.getInt(20)).isEqualTo(101);
    // IPv4, TCP, from 127.0.0.1.
    assertThat(packets.get(40)).isEqualTo((byte) 0x45);
    assertThat(packets.get(49)).isEqualTo((byte) 6);
    assertThat(packets.getInt(52)).isEqualTo(0x0100007f);
  }

  @Test
  void socketsHaveNumbers() {
    assertThat(
            trace(
                "wget -q -O /dev/null http://127.0.0.1:1/",
                "fentry:tcp_v4_connect /comm == \"wget\"/ { @[socket_cookie(args.sk)] = count();"
                    + " @same[socket_cookie(args.sk) == socket_cookie(args.sk)] = count(); }"))
        .containsPattern("@\\[[1-9]\\d*\\]: 1")
        .contains("@same[true]: 1");
  }
}
