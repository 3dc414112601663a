package dev.ply.bpf.plan;

import static dev.ply.Values.arg;
import static dev.ply.Values.comm;
import static dev.ply.Values.field;
import static dev.ply.Values.pid;
import static dev.ply.Values.probe;
import static dev.ply.Values.retval;
import static dev.ply.Values.str;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.result.AttachedSite;
import dev.ply.target.AttachFeatures;
import dev.ply.target.KernelTypes;
import dev.ply.target.Mechanism;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whatever mechanism is chosen, a trace shows the same. */
class SameResultTest {
  /** What a trace shows, and how it was attached. */
  private record Run(String shown, List<Mechanism> mechanisms) {}

  private static Run run(
      AttachFeatures features,
      CompilerOptions options,
      KernelTypes types,
      List<Firing> firings,
      Probe... probes) {
    StringBuilder text = new StringBuilder();
    SimulatedTarget target = SimulatedTarget.create().withAttachFeatures(features).withTypes(types);
    try (SimulatedTracer tracer = SimulatedTracer.create(target, options);
        Session session = tracer.prepare(List.of(probes)).printTo(text::append).start()) {
      firings.forEach(tracer::fire);
      List<Mechanism> mechanisms =
          session.attachments().stream().map(AttachedSite::mechanism).distinct().toList();
      session
          .tables()
          .forEach(table -> table.table().forEach(row -> text.append(row).append('\n')));
      return new Run(text.toString(), mechanisms);
    }
  }

  private static void assertSame(Mechanism cheap, List<Firing> firings, Probe... probes) {
    assertSame(cheap, KernelTypes.NONE, firings, probes);
  }

  private static void assertSame(
      Mechanism cheap, KernelTypes types, List<Firing> firings, Probe... probes) {
    Run plain = run(AttachFeatures.NONE, CompilerOptions.DEFAULT, types, firings, probes);
    assertThat(plain.mechanisms()).doesNotContain(cheap);
    assertThat(plain.shown()).isNotEmpty();
    for (Offering offered : List.of(Offering.all(), Offering.all().withoutLoads())) {
      Run planned = run(offered, CompilerOptions.DEFAULT.attachedBy(cheap), types, firings, probes);
      assertThat(planned.mechanisms()).contains(cheap);
      assertThat(planned.shown()).as("%s", offered).isEqualTo(plain.shown());
    }
  }

  private static final Firing OPEN =
      Firing.tracepoint("syscalls:sys_enter_openat")
          .comm("cat")
          .field("dfd", -100)
          .field("filename", "/etc/passwd")
          .field("flags", 0x80000)
          .field("mode", 0644)
          .field("__syscall_nr", 257);

  private static final Firing WRITE =
      Firing.tracepoint("syscalls:sys_enter_write").comm("cat").field("fd", 1).field("count", 512);

  private static final Firing READ =
      Firing.tracepoint("syscalls:sys_exit_read").comm("cat").field("ret", -21);

  private static final Probe OPENS =
      Probe.tracepoint("syscalls:sys_enter_openat")
          .print(
              probe(),
              pid(),
              field("dfd"),
              str(field("filename")),
              field("flags"),
              field("mode"),
              field("__syscall_nr"),
              field("common_type"),
              field("common_pid"));

  @Test
  void argumentsOfASyscall() {
    assertSame(Mechanism.RAW_SYSCALLS, List.of(OPEN, WRITE), OPENS);
  }

  @Test
  void argumentsOfTheFunctionOfASyscall() {
    KernelTypes types = SystemCallTypes.of("openat");
    assertSame(Mechanism.FENTRY_SYSCALL, types, List.of(OPEN.pid(4711), WRITE), OPENS);
  }

  @Test
  void registersThatProgramsMayLoad() {
    KernelTypes types = SystemCallTypes.of();
    var reads = Probe.tracepoint("syscalls:sys_exit_read").by(comm(), field("ret")).count();
    var counted = Probe.tracepoint("syscalls:sys_enter_write").by(field("count")).count();
    assertSame(Mechanism.RAW_SYSCALLS, types, List.of(OPEN, WRITE), OPENS);
    assertSame(Mechanism.RAW_SYSCALLS, types, List.of(READ, READ.field("ret", 7)), reads);
    assertSame(Mechanism.RAW_SYSCALLS, types, List.of(OPEN, WRITE, WRITE), counted);
  }

  @Test
  void namesThatAreFetchedOnceAreCopiedWhole() {
    var writes =
        Probe.tracepoint("syscalls:sys_enter_write")
            .where(comm().eq("cat").and(field("count").eq(512)))
            .by(comm())
            .count();
    assertSame(Mechanism.RAW_SYSCALLS, List.of(WRITE), writes);
  }

  @Test
  void theResultOfASyscall() {
    var failures =
        Probe.tracepoint("syscalls:sys_exit_read").by(comm(), field("ret"), probe()).count();
    assertSame(Mechanism.RAW_SYSCALLS, List.of(READ, READ.field("ret", 7)), failures);
  }

  @Test
  void whichOfManySyscallsItWas() {
    var calls = Probe.tracepoint("syscalls:*").by(probe(), comm()).count();
    List<Firing> firings = Stream.of(OPEN, WRITE, WRITE, READ, OPEN.comm("dd")).toList();
    assertSame(Mechanism.RAW_SYSCALLS, firings, calls);
  }

  @Test
  void whichOfManyFunctionsItWas() {
    var calls = Probe.kprobe("vfs_*").by(probe(), arg(2)).count();
    assertSame(
        Mechanism.KPROBE_MULTI,
        List.of(Firing.kprobe("vfs_read").arg(2, 5), Firing.kprobe("vfs_write").arg(2, -1)),
        calls);
  }

  @Test
  void returnsOfManyFunctions() {
    var returns = Probe.kretprobe("vfs_*").by(probe(), retval()).count();
    assertSame(
        Mechanism.KPROBE_MULTI,
        List.of(Firing.kretprobe("vfs_read").retval(-5), Firing.kretprobe("vfs_open")),
        returns);
  }

  @Test
  void eventsOfWhichNothingIsRead() {
    var events = Probe.tracepoint("sched:*").by(probe(), comm()).count();
    assertSame(
        Mechanism.RAW_TRACEPOINT,
        List.of(
            Firing.tracepoint("sched:sched_switch").comm("a"),
            Firing.tracepoint("sched:sched_wakeup").comm("b")),
        events);
  }
}
