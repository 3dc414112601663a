package dev.ply.bpf.plan;

import static dev.ply.Values.comm;
import static dev.ply.Values.pid;
import static dev.ply.Values.tid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.AggregateProbe;
import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.bpf.asm.Disassembler;
import dev.ply.bpf.btf.BtfBuilder;
import dev.ply.bpf.btf.BtfBuilder.Member;
import dev.ply.bpf.btf.BtfTypes;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.bpf.vm.helper.Task;
import dev.ply.target.AttachFeatures;
import dev.ply.target.KernelTypes;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The numbers of a thread and its process, from a helper or where the kernel keeps them. */
class ThreadNumberTest {
  private static final Probe READS = Probe.kprobe("vfs_read").by(pid(), tid()).count();

  private static KernelTypes types() {
    BtfBuilder btf = new BtfBuilder();
    int s32 = btf.integer("int", 4, true);
    int unused =
        btf.struct(
            "task_struct",
            Task.NAME_OFFSET + 16,
            Member.at(
                0,
                "thread_info",
                btf.struct("thread_info", 24, Member.at(Task.CPU_OFFSET, "cpu", s32))),
            Member.at(Task.PID_OFFSET, "pid", s32),
            Member.at(Task.PID_OFFSET + 4, "tgid", s32),
            Member.at(Task.NAME_OFFSET, "comm", btf.array(btf.integer("char", 1, true), s32, 16)));
    int unused2 = btf.function("vfs_read", s32, "count", btf.integer("long int", 8, true));
    return BtfTypes.parse(btf.build(ByteOrder.LITTLE_ENDIAN));
  }

  private static SimulatedTarget target(AttachFeatures features) {
    return SimulatedTarget.create().withTypes(types()).withAttachFeatures(features);
  }

  private static String listing(SimulatedTarget target, Probe probe) {
    return Disassembler.listing(
        new TraceCompiler(target, CompilerOptions.DEFAULT)
            .compile(Probe.script(List.of(probe)))
            .programs()
            .get(0)
            .program()
            .code());
  }

  private static String run(AttachFeatures features) {
    StringBuilder shown = new StringBuilder();
    try (SimulatedTracer tracer = SimulatedTracer.create(target(features));
        Session session = tracer.prepare(List.of(READS)).start()) {
      tracer.fire(Firing.kprobe("vfs_read").pid(4711).tid(4712));
      tracer.fire(Firing.kprobe("vfs_read").pid(4711).tid(4713));
      session.tables().forEach(table -> table.table().forEach(shown::append));
    }
    return shown.toString();
  }

  private static String listing(AttachFeatures features) {
    return listing(target(features), READS);
  }

  @Test
  void bothWaysGiveTheSame() {
    assertThat(run(Offering.all()))
        .isEqualTo(run(AttachFeatures.NONE))
        .contains("4711", "4712", "4713");
  }

  @Test
  void trampolinesLoadThem() {
    assertThat(listing(Offering.all()))
        .containsOnlyOnce("bpf_get_current_task_btf")
        .doesNotContain("bpf_get_current_pid_tgid");
    assertThat(listing(AttachFeatures.NONE)).contains("bpf_get_current_pid_tgid");
  }

  @Test
  void programsThatLoadTheNameLoadThem() {
    Probe byName = Probe.kprobe("vfs_read").where(pid().eq(7)).by(comm()).count();
    assertThat(listing(target(AttachFeatures.NONE).withThreadNameAt(Task.NAME_OFFSET), byName))
        .containsOnlyOnce("bpf_get_current_task_btf")
        .doesNotContain("bpf_get_current_pid_tgid", "bpf_get_current_comm");
    assertThat(listing(target(AttachFeatures.NONE), byName)).contains("bpf_get_current_pid_tgid");
  }

  @Test
  void whoKnowsTheThreadLoadsTheProcessorToo() {
    SimulatedTarget target = target(Offering.all()).withProcessorSlots(4);
    assertThat(listing(target, READS))
        .containsOnlyOnce("bpf_get_current_task_btf")
        .doesNotContain("bpf_get_smp_processor_id");
    assertThat(listing(target, Probe.kprobe("vfs_read").count()))
        .contains("bpf_get_smp_processor_id")
        .doesNotContain("bpf_get_current_task_btf");
    assertThat(listing(target(AttachFeatures.NONE).withProcessorSlots(4), READS))
        .contains("bpf_get_smp_processor_id");
  }

  @Test
  void eachProcessorCountsInItsOwnSlot() {
    AggregateProbe<Long> reads = Probe.kprobe("vfs_read").by(pid()).count();
    try (SimulatedTracer tracer =
            SimulatedTracer.create(target(Offering.all()).withProcessorSlots(4));
        Session session = tracer.start(reads)) {
      for (int i = 0; i < 8; i++) {
        tracer.fire(Firing.kprobe("vfs_read").pid(7).cpu(i % 4));
      }
      assertThat(session.read(reads).get(7L)).contains(8L);
    }
  }
}
