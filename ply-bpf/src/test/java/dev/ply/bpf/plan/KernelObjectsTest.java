package dev.ply.bpf.plan;

import static dev.ply.Values.arg;
import static dev.ply.Values.field;
import static dev.ply.Values.pid;
import static dev.ply.Values.retval;
import static dev.ply.value.MemoryValues.path;
import static dev.ply.value.MemoryValues.skbOutput;
import static dev.ply.value.MemoryValues.socketCookie;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.Value;
import dev.ply.bpf.btf.BtfBuilder;
import dev.ply.bpf.btf.BtfBuilder.Member;
import dev.ply.bpf.btf.BtfTypes;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.diagnostic.CompilationException;
import dev.ply.target.KernelTypes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Functions that take only pointers of which the kernel's verifier knows the type. */
class KernelObjectsTest {
  private static final long SOCKET = 0xffff_8880_0000_1000L;
  private static final long SOCK = 0xffff_8880_0000_2000L;

  static KernelTypes types() {
    BtfBuilder btf = new BtfBuilder();
    int s32 = btf.integer("int", 4, true);
    int u64 = btf.integer("long unsigned int", 8, false);
    int path = btf.struct("path", 16, Member.at(8, "dentry", btf.pointer(u64)));
    int file = btf.struct("file", 64, Member.at(0, "f_flags", s32), Member.at(8, "f_path", path));
    int common = btf.struct("sock_common", 16, Member.at(8, "skc_cookie", u64));
    int sock = btf.struct("sock", 32, Member.at(0, "__sk_common", common));
    int inet = btf.struct("inet_sock", 64, Member.at(0, "sk", sock));
    int socket = btf.struct("socket", 16, Member.at(8, "sk", btf.pointer(sock)));
    int data = btf.pointer(0);
    int sent =
        btf.struct(
            "sk_buff",
            32,
            Member.at(0, "len", s32),
            Member.at(8, "sk", btf.pointer(sock)),
            Member.at(16, "dev_sk", btf.pointer(sock)));
    int unusedList =
        btf.struct("sk_buff__safe_rcu_or_null", 8, Member.at(0, "sk", btf.pointer(sock)));
    int unusedCaller =
        btf.function(
            "__traceiter_consume", s32, "__data", data, "skb", btf.pointer(sent), "place", data);
    int unusedEvent = btf.rawTracepoint("consume", btf.pointer(sent), data);
    int unusedTransmit = btf.function("dev_queue_xmit", s32, "skb", btf.pointer(sent));
    int toFile = btf.pointer(file);
    for (String name : List.of("filp_close", "vfs_read")) {
      int unused = btf.function(name, s32, "filp", toFile, "id", u64);
    }
    int opened = btf.function("dentry_open", toFile, "path", btf.pointer(path), "flags", s32);
    int released =
        btf.function("inet_release", s32, "sock", btf.pointer(socket), "inet", btf.pointer(inet));
    assertThat(released).isGreaterThan(opened);
    return BtfTypes.parse(btf.build(ByteOrder.LITTLE_ENDIAN));
  }

  private static String run(Probe probe, Firing... firings) {
    StringBuilder text = new StringBuilder();
    SimulatedTarget target = SimulatedTarget.create().withTypes(types());
    try (SimulatedTracer tracer = SimulatedTracer.create(target);
        Session session = tracer.prepare(List.of(probe)).printTo(text::append).start()) {
      for (Firing firing : firings) {
        tracer.fire(firing);
      }
      session.tables().forEach(table -> table.table().forEach(text::append));
    }
    return text.toString();
  }

  private static Probe closing(Value value) {
    return Probe.fentry("filp_close").print(value);
  }

  /** The virtual machine has no files, but the verifier checks what the program passes. */
  @Test
  void pathsAreReachedFromArgumentsAndResults() {
    Firing close = Firing.fentry("filp_close").arg(0, SOCK);
    assertThat(run(closing(path(field("filp").member("f_path"))), close)).isBlank();
    assertThat(run(closing(path(field("filp").member("f_path"), 20)), close)).isBlank();
    assertThat(run(closing(path(arg(0).member("f_path"))), close)).isBlank();
    assertThat(
            run(
                Probe.fexit("dentry_open")
                    .print(path(field("path")), path(retval().member("f_path"))),
                Firing.fexit("dentry_open").arg(0, SOCK).retval(SOCK)))
        .matches(" *, *\n");
    assertThat(run(closing(path(field("filp").member("f_path"))), Firing.fentry("filp_close")))
        .isBlank();
  }

  @Test
  void aSocketHasOneCookie() {
    ByteBuffer socket = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN).putLong(8, SOCK);
    var released =
        Probe.fentry("inet_release")
            .print(socketCookie(field("sock").member("sk")), socketCookie(field("inet")));
    Firing release = Firing.fentry("inet_release").arg(0, SOCKET).memory(SOCKET, socket.array());
    assertThat(run(released, release.arg(1, SOCK), release.arg(1, SOCKET), release.arg(1, 0)))
        .isEqualTo("1, 1\n1, 2\n1, 0\n");
  }

  @Test
  void packetsAreReachedFromArguments() {
    ByteBuffer packet = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN).putInt(0, 12);
    Value skb = field("skb");
    var sent =
        Probe.fentry("dev_queue_xmit")
            .print(skbOutput("a.pcap", skb, skb.member("len"), 0), skbOutput("b", skb, pid(), 14));
    Firing send = Firing.fentry("dev_queue_xmit").pid(20).memory(SOCKET, packet.array());
    assertThat(run(sent, send.arg(0, SOCKET), send.arg(0, 0), send.arg(0, SOCKET).pid(1 << 20)))
        .isEqualTo("0, -14\n-14, -14\n0, 0\n");
  }

  /** By the types that the kernel has of a tracepoint's arguments, which are numbers elsewhere. */
  @Test
  void rawTracepointsHandOnWhatTheyGet() {
    ByteBuffer packet = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN).putInt(0, 12);
    packet.putLong(16, SOCK);
    Value skb = field("skb");
    Value cast = arg(0).cast("struct sk_buff *");
    Firing consume = Firing.rawTracepoint("consume").arg(0, SOCKET).memory(SOCKET, packet.array());
    assertThat(
            run(
                Probe.rawTracepoint("consume")
                    .print(
                        skbOutput("a.pcap", skb, skb.member("len"), 0),
                        skbOutput("b.pcap", cast, pid(), 0),
                        socketCookie(skb.member("dev_sk")),
                        socketCookie(cast.member("dev_sk")),
                        arg(0)),
                consume.pid(20),
                consume.arg(0, 0)))
        .isEqualTo("0, 0, 1, 1, 0xffff888000001000\n-14, -14, 0, 0, 0\n");
    assertThatThrownBy(
            () -> run(Probe.rawTracepoint("consume").print(socketCookie(skb.member("sk")))))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("the kernel does not accept a structure that is reached this way");
    assertThatThrownBy(
            () ->
                run(
                    Probe.rawTracepoint("consume")
                        .print(socketCookie(arg(0).cast("struct sock *")))))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("takes only values reached from the probe's own arguments");
    assertThatThrownBy(() -> run(Probe.rawTracepoint("consume").print(path(skb.member("sk")))))
        .isInstanceOf(CompilationException.class);
  }

  @Test
  void packetsHaveConstantFiles() {
    Value skb = field("skb");
    var probe = Probe.fentry("dev_queue_xmit");
    assertThatThrownBy(() -> run(probe.print(skbOutput("", skb, pid(), 0))))
        .hasMessageContaining("the path of \"skboutput\" must be a constant");
    assertThatThrownBy(() -> run(probe.print(skbOutput("a", skb, pid(), -1))))
        .hasMessageContaining("the offset of \"skboutput\" must be a constant");
    assertThatThrownBy(() -> run(closing(skbOutput("a", field("filp"), pid(), 0))))
        .hasMessageContaining("\"skboutput\" takes a struct sk_buff; this is a struct file");
    assertThatThrownBy(
            () -> run(Probe.kprobe("dev_queue_xmit").print(skbOutput("a", arg(0), pid(), 0))))
        .hasMessageContaining("\"skboutput\" is not available in kprobe:dev_queue_xmit");
  }

  @Test
  void theKernelTellsPathsInSomeFunctionsOnly() {
    var reads = Probe.fentry("vfs_read").print(path(field("filp").member("f_path")));
    assertThatThrownBy(() -> run(reads))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("the kernel resolves no paths in \"vfs_read\"");
    var kprobe = Probe.kprobe("filp_close").print(path(arg(0)));
    assertThatThrownBy(() -> run(kprobe))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("\"path\" is not available in kprobe:filp_close");
  }

  @Test
  void argumentsAreOfTheRightType() {
    assertThatThrownBy(() -> run(closing(path(field("filp")))))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("\"path\" takes a struct path; this is a struct file");
    assertThatThrownBy(() -> run(closing(path(pid()))))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("\"path\" takes a kernel structure");
    assertThatThrownBy(() -> run(closing(socketCookie(field("filp")))))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("\"socket_cookie\" takes a struct sock; this is a struct file");
    assertThatThrownBy(() -> run(closing(path(field("filp").member("f_path"), 20_000))))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("the size of a path must be a constant, 1 to 16384");
  }
}
