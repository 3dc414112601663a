package dev.ply.bpf.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.analysis.Analyzer;
import dev.ply.bpf.object.AttachSite;
import dev.ply.bpf.object.AttachSpec;
import dev.ply.bpf.object.AttachSpec.Cpus;
import dev.ply.bpf.object.KernelLocation;
import dev.ply.bpf.object.ProgramType;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.lang.PlyScript;
import dev.ply.probe.PerfCounter;
import dev.ply.probe.SamplingRate;
import dev.ply.probe.TracerProbe;
import dev.ply.target.AttachFeatures;
import dev.ply.target.Mechanism;
import dev.ply.target.UserLocation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class SpecBuilderTest {
  private static List<PlannedProgram> plan(AttachFeatures features, String script) {
    return plan(features, Optional.empty(), script);
  }

  private static List<PlannedProgram> plan(
      AttachFeatures features, Optional<Mechanism> forced, String script) {
    SimulatedTarget target =
        SimulatedTarget.create()
            .withAttachFeatures(features)
            .withTypes(SystemCallTypes.of("openat", "read"));
    return new AttachPlanner(target, forced)
        .plan(new Analyzer(target).analyze(PlyScript.parse(script)));
  }

  private static AttachSpec spec(String point) {
    return spec(AttachFeatures.NONE, point);
  }

  private static AttachSpec spec(AttachFeatures features, String point) {
    List<AttachSpec> specs = plan(features, point + " { @ = count(); }").get(0).specs();
    assertThat(specs).hasSize(1);
    assertThat(specs.get(0).sites()).extracting(AttachSite::definition).contains(point);
    return specs.get(0);
  }

  private static String location(String point) {
    return ((AttachSpec.Kprobe) spec(point)).location().text();
  }

  @Test
  void kernelNamesAreWrittenAsTheKernelParsesThem() {
    assertThat(location("kprobe:vfs_read")).isEqualTo("vfs_read");
    assertThat(location("kprobe:vfs_read+8")).isEqualTo("vfs_read+8");
    assertThat(location("kprobe:ext4:ext4_sync_file+16")).isEqualTo("ext4:ext4_sync_file+16");
    assertThat(location("kprobe:0xffffffff81000000")).isEqualTo("0xffffffff81000000");
  }

  @Test
  void aReturnMayHaveMaxactive() {
    AttachSpec.Kprobe plain = (AttachSpec.Kprobe) spec("kretprobe:vfs_read");
    assertThat(plain.isReturn()).isTrue();
    assertThat(plain.maxActive()).isEmpty();
    AttachSpec.Kprobe many = (AttachSpec.Kprobe) spec("kretprobe:vfs_read:64");
    assertThat(many.maxActive()).hasValue(64);
    assertThat(many.by()).isEqualTo(AttachSpec.KprobeInterface.TRACEFS);
    assertThat(many.location()).isEqualTo(new KernelLocation.Symbol("vfs_read"));
  }

  @Test
  void timersHaveTheirCpus() {
    assertThat(spec("interval:1s"))
        .isInstanceOfSatisfying(
            AttachSpec.PerfTimer.class,
            timer -> {
              assertThat(timer.cpus()).isEqualTo(new Cpus.Any());
              assertThat(timer.rate().period()).isEqualTo(Duration.ofSeconds(1));
            });
    assertThat(((AttachSpec.PerfTimer) spec("profile:99hz")).cpus()).isEqualTo(new Cpus.Online());
    assertThat(spec("profile:2:99hz"))
        .isInstanceOfSatisfying(
            AttachSpec.PerfTimer.class,
            timer -> {
              assertThat(timer.cpus()).isEqualTo(new Cpus.One(2));
              assertThat(timer.rate()).isEqualTo(new SamplingRate.Hertz(99));
            });
  }

  @Test
  void userFunctionsAreResolvedAtCompileTime() {
    UserLocation libc = new UserLocation(Path.of("c"), 0, OptionalInt.empty());
    AttachSpec.Uprobe entry = (AttachSpec.Uprobe) spec("uprobe:c:malloc");
    assertThat(entry.locations()).containsExactly(libc);
    assertThat(entry.isReturn()).isFalse();
    assertThat(((AttachSpec.Uprobe) spec("uretprobe:c:malloc")).isReturn()).isTrue();
    assertThat(spec("usdt:app:store:open")).isInstanceOf(AttachSpec.Uprobe.class);
  }

  @Test
  void aCounterHasAPeriod() {
    AttachSpec.CounterOverflow faults =
        (AttachSpec.CounterOverflow) spec("software:page-faults:100");
    assertThat(faults.event().counter()).isEqualTo(PerfCounter.PAGE_FAULTS);
    assertThat(faults.event().period()).isEqualTo(100);
    assertThat(faults.programType()).isEqualTo(ProgramType.PERF_EVENT);
  }

  @Test
  void beginAndEndAreTestRuns() {
    assertThat(((AttachSpec.TestRun) spec("BEGIN")).point()).isEqualTo(new TracerProbe.Begin());
    assertThat(((AttachSpec.TestRun) spec("END")).point()).isEqualTo(new TracerProbe.End());
  }

  @Test
  void aSyscallHasATrampolineOrIsSelectedFromAll() {
    String script = "tracepoint:syscalls:sys_enter_openat { @ = count(); }";
    PlannedProgram planned = plan(Offering.all(), script).get(0);
    AttachSpec.Trampoline trampoline = (AttachSpec.Trampoline) planned.specs().get(0);
    assertThat(trampoline.isReturn()).isFalse();
    assertThat(trampoline.binding()).isPresent();
    assertThat(trampoline.site().mechanism()).isEqualTo(Mechanism.FENTRY_SYSCALL);
    AttachSpec.AllSyscalls all =
        (AttachSpec.AllSyscalls)
            plan(Offering.all(), Optional.of(Mechanism.RAW_SYSCALLS), script).get(0).specs().get(0);
    assertThat(all.event()).isEqualTo("sys_enter");
    assertThat(all.programType()).isEqualTo(ProgramType.TYPED_TRACEPOINT);
  }

  @Test
  void functionsOfAPatternShareALinkElseHaveOneEach() {
    PlannedProgram planned = plan(Offering.all(), "kprobe:vfs_* { @[probe] = count(); }").get(0);
    AttachSpec.KprobeMulti link = (AttachSpec.KprobeMulti) planned.specs().get(0);
    assertThat(link.functions()).contains("vfs_read", "vfs_write");
    assertThat(link.cookies()).hasSameSizeAs(link.functions()).doesNotHaveDuplicates();
    assertThat(link.sites()).allMatch(site -> site.pattern().equals(Optional.of("kprobe:vfs_*")));
    List<AttachSpec> instead = planned.next().orElseThrow().specs();
    assertThat(instead).hasSameSizeAs(link.functions());
    for (int i = 0; i < instead.size(); i++) {
      assertThat(instead.get(i).cookie(0)).isEqualTo(link.cookie(i));
    }
  }

  @Test
  void aTracepointHasItsRecordOnlyIfItIsRead() {
    assertThat(spec(Offering.all(), "tracepoint:sched:sched_switch"))
        .isInstanceOf(AttachSpec.RawTracepoint.class);
    assertThat(spec("tracepoint:sched:sched_switch"))
        .isInstanceOfSatisfying(
            AttachSpec.Tracepoint.class,
            tracepoint -> assertThat(tracepoint.category()).isEqualTo("sched"));
    assertThat(spec("rawtracepoint:sched_switch")).isInstanceOf(AttachSpec.RawTracepoint.class);
  }
}
