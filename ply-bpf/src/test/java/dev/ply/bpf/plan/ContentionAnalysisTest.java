package dev.ply.bpf.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.analysis.Analyzer;
import dev.ply.bpf.asm.Disassembler;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.lang.PlyScript;
import dev.ply.target.AttachFeatures;
import dev.ply.target.Mechanism;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ContentionAnalysisTest {
  private static Set<String> contended(AttachFeatures features, String script) {
    return contended(features, Optional.empty(), script);
  }

  private static Set<String> contended(
      AttachFeatures features, Optional<Mechanism> forced, String script) {
    SimulatedTarget target =
        SimulatedTarget.create()
            .withAttachFeatures(features)
            .withTypes(SystemCallTypes.of("openat", "write"));
    return ContentionAnalysis.contended(
        new AttachPlanner(target, forced)
            .plan(new Analyzer(target).analyze(PlyScript.parse(script))));
  }

  @Test
  void kprobesAndPerfEventsTakeTurns() {
    assertThat(
            contended(
                AttachFeatures.NONE,
                "kprobe:vfs_read, kretprobe:vfs_read, tracepoint:sched:sched_switch { @ = count(); }"
                    + " interval:1s { @ = count(); } profile:99hz { @ = count(); }"))
        .isEmpty();
  }

  @Test
  void oneThatInterruptsOthersButNotItselfIsAlone() {
    AttachFeatures features = Offering.only(Mechanism.RAW_TRACEPOINT);
    assertThat(
            contended(
                features,
                "BEGIN { @a = count(); } tracepoint:sched:sched_switch { @a = count(); if (pid == 1) @b ="
                    + " count(); else @c = sum(pid); } tracepoint:sched:sched_wakeup { @b = count(); }"
                    + " kprobe:vfs_read { @c = sum(1); @d = count(); }"))
        .containsExactly("@b", "@c");
  }

  @Test
  void systemCallsDoNotInterruptEachOther() {
    assertThat(
            contended(
                Offering.only(Mechanism.RAW_SYSCALLS),
                Optional.of(Mechanism.RAW_SYSCALLS),
                "tracepoint:syscalls:sys_enter_write, tracepoint:syscalls:sys_exit_read { @ = count(); @c = count(); }"
                    + " kprobe:vfs_read { @c = count(); }"))
        .containsExactly("@c");
  }

  @Test
  void systemCallsWithTrampolinesDo() {
    assertThat(
            contended(
                Offering.all(),
                "tracepoint:syscalls:sys_enter_write { @ = count(); @c = count(); }"
                    + " tracepoint:syscalls:sys_enter_openat { @c = count(); }"))
        .containsExactly("@c");
  }

  @Test
  void inUserSpaceAnybodyMayComeInBetween() {
    assertThat(contended(AttachFeatures.NONE, "uprobe:c:malloc { @ = sum(arg0); }"))
        .containsExactly("@");
  }

  @Test
  void thenUpdatesAreAtomic() {
    String script = "%s { @s = sum(arg0); @q = quantize(arg0); }";
    assertThat(listing(script.formatted("kprobe:vfs_read"))).doesNotContain("lock");
    assertThat(listing(script.formatted("uprobe:c:malloc"))).contains("lock");
  }

  private static String listing(String script) {
    return new TraceCompiler(SimulatedTarget.create(), CompilerOptions.DEFAULT)
        .compile(PlyScript.parse(script)).programs().stream()
            .map(program -> Disassembler.listing(program.program().code()))
            .collect(Collectors.joining());
  }
}
