package dev.ply.bpf.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.AggregateProbe;
import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.Values;
import dev.ply.bpf.asm.Disassembler;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.lang.PlyScript;
import org.junit.jupiter.api.Test;

/** Aggregations by key in plain maps, where each processor has a part of a value for itself. */
class ProcessorSlotsTest {
  private static final SimulatedTarget TARGET = SimulatedTarget.create();
  private static final String BY_PID = "kprobe:vfs_read { @[pid] = count(); }";
  private static final String HISTOGRAM = "kprobe:vfs_read { @[pid] = quantize(arg2); }";

  private static BpfObject compiled(
      SimulatedTarget target, CompilerOptions options, String script) {
    return new TraceCompiler(target, options).compile(PlyScript.parse(script));
  }

  private static BpfMap map(SimulatedTarget target, CompilerOptions options, String script) {
    return compiled(target, options, script).tables().get(0).map();
  }

  private static String listing(SimulatedTarget target) {
    BpfObject object = compiled(target, CompilerOptions.DEFAULT, BY_PID);
    return Disassembler.listing(object.programs().get(0).program().code());
  }

  @Test
  void eachHasACacheLineOfItsOwnOrMore() {
    BpfMap counts = map(TARGET.withProcessorSlots(4), CompilerOptions.DEFAULT, BY_PID);
    assertThat(counts.type()).isEqualTo(MapType.HASH);
    assertThat(counts.slots()).isEqualTo(4);
    assertThat(counts.slotSize()).isEqualTo(64);
    assertThat(counts.valueSize()).isEqualTo(256);
    BpfMap histograms = map(TARGET.withProcessorSlots(2), CompilerOptions.DEFAULT, HISTOGRAM);
    assertThat(histograms.slotSize()).isEqualTo(1024);
    assertThat(histograms.slots()).isEqualTo(2);
  }

  @Test
  void largeMapsArePerCpu() {
    SimulatedTarget four = TARGET.withProcessorSlots(4);
    assertThat(map(four, CompilerOptions.DEFAULT, HISTOGRAM).type()).isEqualTo(MapType.PERCPU_HASH);
    assertThat(map(four, CompilerOptions.DEFAULT.withMapEntries(1 << 20), BY_PID).type())
        .isEqualTo(MapType.PERCPU_HASH);
  }

  @Test
  void theOnlyProcessorNeedsNoNumber() {
    BpfMap counts = map(TARGET.withProcessorSlots(1), CompilerOptions.DEFAULT, BY_PID);
    assertThat(counts.type()).isEqualTo(MapType.HASH);
    assertThat(counts.valueSize()).isEqualTo(8);
    assertThat(listing(TARGET.withProcessorSlots(1))).doesNotContain("bpf_get_smp_processor_id");
    assertThat(listing(TARGET.withProcessorSlots(2)))
        .containsSubsequence(
            "call bpf_map_lookup_elem", "call bpf_get_smp_processor_id", "&= 1", "<<= 6");
  }

  @Test
  void whatProcessorsCountIsAddedUp() {
    AggregateProbe<Long> reads = Probe.kprobe("vfs_read").by(Values.pid()).count();
    try (SimulatedTracer tracer = SimulatedTracer.create(TARGET.withProcessorSlots(4));
        Session session = tracer.start(reads)) {
      for (int i = 0; i < 10; i++) {
        tracer.fire(Firing.kprobe("vfs_read").pid(7).cpu(i % 3));
      }
      tracer.fire(Firing.kprobe("vfs_read").pid(8).cpu(3));
      assertThat(session.read(reads).get(7L)).contains(10L);
      assertThat(session.read(reads).get(8L)).contains(1L);
    }
  }

  @Test
  void onlyValuesOfHashTablesAreSplitAndEvenly() {
    assertThatThrownBy(() -> BpfMap.slotted("m", 4, 8, 0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("0 slots in 0-byte values of a HASH: m");
  }
}
