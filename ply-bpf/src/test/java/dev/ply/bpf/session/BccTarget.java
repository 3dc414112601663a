package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.btf.BtfBuilder;
import dev.ply.bpf.btf.BtfBuilder.Member;
import dev.ply.bpf.btf.BtfTypes;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.target.KernelTypes;
import java.nio.ByteOrder;

/** A machine that has what the examples of BCC's argdist and trace probe. */
final class BccTarget {
  private BccTarget() {}

  static SimulatedTarget create() {
    return SimulatedTarget.create()
        .withTypes(types())
        .withUserFunctions("c", "malloc", "read", "write")
        .withTracepoint("block", tracepoint("block_rq_complete", "unsigned int nr_sector"))
        .withTracepoint("irq", tracepoint("irq_handler_entry", "int irq"))
        .withTracepoint("net", tracepoint("net_dev_start_xmit", "u16 protocol"))
        .withTracepoint("syscalls", tracepoint("sys_exit_epoll_wait", "int ret"));
  }

  private static String tracepoint(String event, String field) {
    int size = field.startsWith("u16") ? 2 : 4;
    return """
    name: %s
    ID: 1
    format:
    \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
    \tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
    \tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
    \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

    \tfield:%s;\toffset:8;\tsize:%d;\tsigned:%d;

    print fmt: ""
    """
        .formatted(event, field, size, field.startsWith("int") ? 1 : 0);
  }

  private static KernelTypes types() {
    BtfBuilder btf = new BtfBuilder();
    int index = btf.integer("int", 4, true);
    int wide = btf.integer("long int", 8, true);
    int name = btf.array(btf.integer("char", 1, true), index, 40);
    int dentry = btf.struct("dentry", 48, Member.at(8, "d_iname", name));
    int path = btf.struct("path", 8, Member.at(0, "dentry", btf.pointer(dentry)));
    int unused =
        btf.struct("file", 16, Member.at(8, "f_path", path))
            + btf.struct("cfs_rq", 8, Member.at(0, "runtime_remaining", wide))
            + btf.struct(
                "timespec", 16, Member.at(0, "tv_sec", wide), Member.at(8, "tv_nsec", wide));
    assertThat(unused).isPositive();
    return BtfTypes.parse(btf.build(ByteOrder.LITTLE_ENDIAN));
  }
}
