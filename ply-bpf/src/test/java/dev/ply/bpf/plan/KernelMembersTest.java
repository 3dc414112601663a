package dev.ply.bpf.plan;

import static dev.ply.Values.arg;
import static dev.ply.Values.comm;
import static dev.ply.Values.field;
import static dev.ply.Values.probe;
import static dev.ply.Values.retval;
import static dev.ply.value.TypeValues.constant;
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
import dev.ply.target.AttachFeatures;
import dev.ply.target.KernelTypes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Arguments by name and type, and the kernel's structures that they point to. */
class KernelMembersTest {
  private static final long FILE = 0xffff_8880_0000_1000L;
  private static final long INODE = 0xffff_8880_0000_2000L;

  private static KernelTypes types() {
    BtfBuilder btf = new BtfBuilder();
    int s32 = btf.integer("int", 4, true);
    int u16 = btf.integer("short unsigned int", 2, false);
    int s64 = btf.integer("long int", 8, true);
    int text = btf.array(btf.integer("char", 1, true), s32, 8);
    int inode =
        btf.struct(
            "inode",
            24,
            Member.at(0, "i_ino", s64),
            Member.at(8, "i_name", text),
            new Member("i_low", s32, 16 * 8, 3),
            new Member("i_high", s32, 16 * 8 + 3, 7),
            new Member("i_mode", u16, 18 * 8, 0));
    int inodes = btf.pointer(inode);
    int path = btf.struct("path", 16, Member.at(8, "inode", inodes));
    int file =
        btf.struct(
            "file",
            64,
            Member.at(0, "f_flags", s32),
            Member.at(8, "f_path", path),
            Member.at(24, "f_numbers", btf.array(u16, s32, 3)),
            Member.at(32, "f_inodes", btf.array(inodes, s32, 2)),
            Member.at(48, "f_names", btf.array(text, s32, 2)));
    btf.enumeration("state", 4, false, "STATE_OPEN", 1, "STATE_CLOSED", 7);
    btf.enumeration("error", 4, true, "E_AGAIN", -11);
    int unused =
        btf.function(
            "vfs_read",
            s64,
            "file",
            btf.pointer(file),
            "mode",
            u16,
            "more",
            btf.pointer(btf.pointer(s32)),
            "count",
            s64);
    int unused0 = btf.rawTracepoint("file_read", s64, s64);
    int unused1 = btf.rawTracepoint("file_write", s64);
    int unused2 =
        btf.function(
            "__traceiter_file_read",
            s32,
            "__data",
            btf.pointer(0),
            "file",
            btf.pointer(file),
            "mode",
            u16);
    return BtfTypes.parse(btf.build(ByteOrder.LITTLE_ENDIAN));
  }

  private static String run(AttachFeatures features, Firing firing, Probe... probes) {
    StringBuilder text = new StringBuilder();
    SimulatedTarget target =
        SimulatedTarget.create().withTypes(types()).withAttachFeatures(features);
    try (SimulatedTracer tracer = SimulatedTracer.create(target);
        Session session = tracer.prepare(List.of(probes)).printTo(text::append).start()) {
      tracer.fire(firing);
      session.tables().forEach(table -> table.table().forEach(text::append));
    }
    return text.toString();
  }

  private static Firing call(Firing at) {
    ByteBuffer file = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    file.putInt(0, -2).putLong(16, INODE);
    file.putShort(24, (short) 1).putShort(26, (short) 2).putShort(28, (short) 0xffff);
    file.putLong(40, INODE).put(56, "second".getBytes(StandardCharsets.UTF_8));
    ByteBuffer inode = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
    inode.putLong(0, 4711).put(8, "passwd".getBytes(StandardCharsets.UTF_8));
    inode.putShort(16, (short) (0b0111_1101 << 3 | 5)).putShort(18, (short) 0xfff0);
    return at.comm("cat")
        .arg(0, FILE)
        .arg(1, 0x1_0000_8001L)
        .arg(2, 77)
        .arg(3, 512)
        .memory(FILE, file.array())
        .memory(INODE, inode.array());
  }

  @Test
  void argumentsHaveTheirTypes() {
    var reads =
        Probe.fentry("vfs_read").print(field("mode"), field("count"), arg(1), arg(2), probe());
    assertThat(run(AttachFeatures.NONE, call(Firing.fentry("vfs_read")), reads))
        .isEqualTo("32769, 512, 32769, <4d>, fentry:vfs_read\n");
  }

  @Test
  void membersAreReadThroughPointersAndStructures() {
    var inode = field("file").member("f_path").field("inode");
    var reads =
        Probe.fentry("vfs_read")
            .print(
                field("file").member("f_flags"),
                inode.member("i_ino"),
                inode.member("i_name"),
                inode.member("i_low"),
                inode.member("i_high"),
                inode.member("i_mode"));
    assertThat(run(AttachFeatures.NONE, call(Firing.fentry("vfs_read")), reads))
        .isEqualTo("-2, 4711, passwd, -3, -3, 65520\n");
  }

  @Test
  void elementsAreThoseOfArraysAndBehindPointers() {
    Value file = field("file");
    var reads =
        Probe.fentry("vfs_read")
            .print(
                file.member("f_numbers").element(2),
                file.member("f_numbers").element(field("count").minus(511)),
                file.member("f_inodes").element(1).member("i_ino"),
                file.member("f_names").element(1),
                file.element(0).field("f_flags"),
                file.dereference().field("f_flags"),
                field("more").dereference().dereference(),
                field("more").element(0).element(1));
    Firing firing = call(Firing.fentry("vfs_read"));
    ByteBuffer numbers = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    numbers.putInt(0, 5).putInt(4, -6);
    ByteBuffer pointer = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    pointer.putLong(0, INODE + 0x1000);
    assertThat(
            run(
                AttachFeatures.NONE,
                firing
                    .arg(2, FILE + 0x800)
                    .memory(FILE + 0x800, pointer.array())
                    .memory(INODE + 0x1000, numbers.array()),
                reads))
        .isEqualTo("65535, 2, 4711, second, -2, -2, 5, -6\n");
  }

  @Test
  void elementsThatAreNotThereAreComplainedAbout() {
    SimulatedTarget target = SimulatedTarget.create().withTypes(types());
    try (SimulatedTracer tracer = SimulatedTracer.create(target)) {
      Value file = field("file");
      assertThatThrownBy(
              () ->
                  tracer.prepare(
                      Probe.fentry("vfs_read").print(file.member("f_numbers").element(3))))
          .hasMessageContaining("no element 3");
      assertThatThrownBy(
              () -> tracer.prepare(Probe.fentry("vfs_read").print(field("count").element(0))))
          .hasMessageContaining("an s64 has no elements");
      assertThatThrownBy(
              () -> tracer.prepare(Probe.fentry("vfs_read").print(field("mode").dereference())))
          .hasMessageContaining("a u16 points to nothing readable");
    }
  }

  @Test
  void enumeratorsHaveTheirValues() {
    var reads =
        Probe.fentry("vfs_read")
            .where(field("count").minus(505).eq(constant("STATE_CLOSED")))
            .print(constant("STATE_OPEN"), constant("E_AGAIN"));
    assertThat(run(AttachFeatures.NONE, call(Firing.fentry("vfs_read")), reads))
        .isEqualTo("1, -11\n");
    try (SimulatedTracer tracer =
        SimulatedTracer.create(SimulatedTarget.create().withTypes(types()))) {
      assertThatThrownBy(
              () -> tracer.prepare(Probe.fentry("vfs_read").print(constant("STATE_SHUT"))))
          .hasMessageContaining("unknown constant \"STATE_SHUT\"");
    }
  }

  @Test
  void membersAreKeysAndConditions() {
    var name = field("file").member("f_path").field("inode").member("i_name");
    var reads = Probe.fentry("vfs_read").where(name.eq("passwd")).by(name, comm()).count();
    assertThat(run(AttachFeatures.NONE, call(Firing.fentry("vfs_read")), reads))
        .contains("passwd", "cat");
  }

  @Test
  void whatCannotBeReadIsZero() {
    var reads =
        Probe.fentry("vfs_read")
            .print(field("file").member("f_path").field("inode").member("i_ino"));
    assertThat(run(AttachFeatures.NONE, Firing.fentry("vfs_read").arg(0, 16), reads))
        .isEqualTo("0\n");
  }

  @Test
  void aRawTracepointHasWhatItIsHandedByName() {
    var reads =
        Probe.rawTracepoint("file_read")
            .print(
                field("file").member("f_path").field("inode").member("i_ino"),
                field("mode"),
                arg(1));
    assertThat(run(AttachFeatures.NONE, call(Firing.rawTracepoint("file_read")), reads))
        .isEqualTo("4711, 32769, 0x100008001\n");
    SimulatedTarget target = SimulatedTarget.create().withTypes(types());
    try (SimulatedTracer tracer = SimulatedTracer.create(target)) {
      assertThatThrownBy(
              () -> tracer.prepare(Probe.rawTracepoint("file_read").print(field("fiel"))))
          .hasMessageContaining("rawtracepoint:file_read has no argument \"fiel\"");
      assertThatThrownBy(
              () -> tracer.prepare(Probe.rawTracepoint("file_write").print(field("file"))))
          .hasMessageContaining("no types for rawtracepoint:file_write");
    }
  }

  @Test
  void anExitHasArgumentsAndTheResult() {
    var reads = Probe.fexit("vfs_read").print(field("count"), retval());
    assertThat(run(AttachFeatures.NONE, call(Firing.fexit("vfs_read")).retval(-5), reads))
        .isEqualTo("512, -5\n");
  }

  @Test
  void aKprobeShowsTheSameByATrampoline() {
    var reads = Probe.kprobe("vfs_read").print(comm(), arg(0), arg(3), probe());
    Firing firing = call(Firing.kprobe("vfs_read"));
    assertThat(run(Offering.all(), firing, reads))
        .isEqualTo(run(AttachFeatures.NONE, firing, reads));
    var returns = Probe.kretprobe("vfs_read").print(retval(), probe());
    Firing returned = Firing.kretprobe("vfs_read").retval(-5);
    assertThat(run(Offering.all(), returned, returns))
        .isEqualTo(run(AttachFeatures.NONE, returned, returns));
  }

  @Test
  void whatIsWrongIsSaidInTheKernelsTerms() {
    SimulatedTarget target = SimulatedTarget.create().withTypes(types());
    try (SimulatedTracer tracer = SimulatedTracer.create(target)) {
      assertThatThrownBy(
              () -> tracer.prepare(Probe.fentry("vfs_read").print(field("file").member("f_flag"))))
          .isInstanceOf(CompilationException.class)
          .hasMessageContaining("struct file has no member \"f_flag\"");
      assertThatThrownBy(() -> tracer.prepare(Probe.fentry("vfs_read").print(arg(4))))
          .hasMessageContaining("\"arg4\" is not available in fentry:vfs_read");
      assertThatThrownBy(() -> tracer.prepare(Probe.fentry("vfs_write").print(comm())))
          .hasMessageContaining("BTF has no types of functions that match fentry:vfs_write");
      assertThatThrownBy(() -> tracer.prepare(Probe.fentry("vfs_read").print(retval())))
          .hasMessageContaining("\"retval\" is not available in fentry:vfs_read");
    }
  }
}
