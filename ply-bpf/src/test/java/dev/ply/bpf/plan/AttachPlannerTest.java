package dev.ply.bpf.plan;

import static dev.ply.Values.arg;
import static dev.ply.Values.comm;
import static dev.ply.Values.field;
import static dev.ply.Values.probe;
import static dev.ply.Values.retval;
import static dev.ply.Values.stack;
import static dev.ply.value.ProbeValues.caller;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.Probe;
import dev.ply.analysis.Analyzer;
import dev.ply.bpf.object.AttachSite;
import dev.ply.bpf.object.AttachSpec;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.diagnostic.CompilationException;
import dev.ply.lang.PlyScript;
import dev.ply.target.AttachFeatures;
import dev.ply.target.KernelTypes;
import dev.ply.target.Mechanism;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AttachPlannerTest {
  private static final String FORMAT =
      """
      name: %s
      ID: 4711
      format:
      \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
      \tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
      \tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
      \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

      \tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;
      \tfield:unsigned int fd;\toffset:16;\tsize:8;\tsigned:0;
      """;

  /** A machine that has as many system calls as are picked from all. */
  private static final SimulatedTarget MANY_CALLS = manyCalls();

  private static SimulatedTarget manyCalls() {
    SimulatedTarget target = SimulatedTarget.create();
    for (String call : List.of("close", "lseek", "pread64", "dup", "getpid")) {
      target = target.withTracepoint("syscalls", FORMAT.formatted("sys_enter_" + call));
    }
    return target;
  }

  private static List<PlannedProgram> plan(AttachFeatures features, Probe... probes) {
    return plan(features, Optional.empty(), probes);
  }

  private static List<PlannedProgram> plan(
      AttachFeatures features, Optional<Mechanism> forced, Probe... probes) {
    return plan(features, KernelTypes.NONE, forced, probes);
  }

  private static List<PlannedProgram> plan(
      AttachFeatures features, KernelTypes types, Optional<Mechanism> forced, Probe... probes) {
    SimulatedTarget target = MANY_CALLS.withAttachFeatures(features).withTypes(types);
    return new AttachPlanner(target, forced)
        .plan(new Analyzer(target).analyze(Probe.script(List.of(probes))));
  }

  private static List<Mechanism> mechanisms(AttachFeatures features, Probe... probes) {
    return plan(features, probes).stream().map(PlannedProgram::mechanism).toList();
  }

  @Test
  void functionsOfAPatternShareALink() {
    var reads = Probe.kprobe("vfs_read*").by(arg(1)).count();
    assertThat(mechanisms(Offering.all(), reads)).containsExactly(Mechanism.KPROBE_MULTI);
    assertThat(mechanisms(AttachFeatures.NONE, reads)).containsExactly(Mechanism.KPROBE);
    var returns = Probe.kretprobe("vfs_read*").by(retval()).count();
    assertThat(mechanisms(Offering.all(), returns)).containsExactly(Mechanism.KPROBE_MULTI);
  }

  @Test
  void onlyKprobeEventsTakeMaxactive() {
    var returns = Probe.kretprobe("vfs_read*:64").by(probe(), retval()).count();
    PlannedProgram planned = plan(Offering.all(), returns).get(0);
    assertThat(planned.mechanism()).isEqualTo(Mechanism.KPROBE_EVENTS);
    assertThat(planned.reason()).isEqualTo("only kprobe-events supports maxactive");
    assertThat(planned.next()).isEmpty();
    assertThat(planned.specs().get(0))
        .isInstanceOfSatisfying(
            AttachSpec.Kprobe.class, spec -> assertThat(spec.maxActive()).hasValue(64));
    assertThat(sites(planned)).allMatch(site -> site.endsWith(":64"));
    assertThatThrownBy(() -> plan(Offering.all(), Optional.of(Mechanism.FENTRY), returns))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("only kprobe-events supports maxactive");
  }

  @Test
  void whereTheKernelRefusesALinkEachFunctionIsProbed() {
    PlannedProgram planned = plan(Offering.all(), Probe.kprobe("vfs_*").count()).get(0);
    PlannedProgram next = planned.next().orElseThrow();
    assertThat(next.mechanism()).isEqualTo(Mechanism.KPROBE);
    assertThat(sites(next)).isEqualTo(sites(planned));
    assertThat(next.reason()).isEqualTo("the kernel refused kprobe-multi");
  }

  @Test
  void kprobesAreUsedWhereALinkShowsOtherValues() {
    assertThat(mechanisms(Offering.all(), Probe.kprobe("vfs_*").by(stack()).count()))
        .containsExactly(Mechanism.KPROBE);
    assertThat(mechanisms(Offering.all(), Probe.kprobe("vfs_*").by(caller()).count()))
        .containsExactly(Mechanism.KPROBE);
  }

  @Test
  void oneFunctionHasNoLink() {
    var reads = Probe.kprobe("vfs_read").by(arg(1)).count();
    PlannedProgram planned = plan(Offering.all(), reads).get(0);
    assertThat(planned.mechanism()).isEqualTo(Mechanism.KPROBE);
    assertThat(planned.reason())
        .isEqualTo(
            "no fentry: no type information for this address;"
                + " no kprobe-multi: this is one function");
  }

  @Test
  void syscallsAreSelectedFromAll() {
    var opens = Probe.tracepoint("syscalls:sys_enter_*").by(probe()).count();
    PlannedProgram planned = plan(Offering.all(), opens).get(0);
    assertThat(planned.mechanism()).isEqualTo(Mechanism.RAW_SYSCALLS);
    assertThat(systemCalls(planned)).containsExactly(0, 1, 3, 8, 17, 32, 39, 59, 257);
    assertThat(planned.reason()).isEqualTo("no fentry-syscall: these are many system calls");
  }

  @Test
  void fewSyscallsHaveRecordsOfTheirOwn() {
    var reads = Probe.tracepoint("syscalls:sys_enter_@(read|pread64)").by(probe()).count();
    List<PlannedProgram> planned = plan(Offering.only(Mechanism.RAW_SYSCALLS), reads);
    assertThat(planned)
        .extracting(PlannedProgram::reason)
        .containsOnly(
            "no fentry-syscall: it is not offered;"
                + " no raw-syscalls: every other system call would run the program;"
                + " no raw-tracepoint: a system call has no tracepoint of its own in the kernel");
    assertThat(planned)
        .flatExtracting(AttachPlannerTest::sites)
        .containsExactlyInAnyOrder(
            "tracepoint:syscalls:sys_enter_read", "tracepoint:syscalls:sys_enter_pread64");
  }

  @Test
  void fewSyscallsHaveATrampolineEach() {
    var reads = Probe.tracepoint("syscalls:sys_enter_@(read|openat)").by(probe()).count();
    assertThat(plan(Offering.all(), SystemCallTypes.of("openat", "read"), Optional.empty(), reads))
        .extracting(PlannedProgram::mechanism)
        .containsExactly(Mechanism.FENTRY_SYSCALL, Mechanism.FENTRY_SYSCALL);
  }

  private static List<String> sites(PlannedProgram planned) {
    return planned.specs().stream()
        .flatMap(spec -> spec.sites().stream())
        .map(AttachSite::definition)
        .toList();
  }

  private static List<Integer> systemCalls(PlannedProgram planned) {
    return planned.context() instanceof ProgramContext.SyscallFunction function
        ? List.of(function.number())
        : ((ProgramContext.AllSyscalls) planned.context()).numbers();
  }

  private static PlannedProgram planCall(AttachFeatures features, Probe call) {
    KernelTypes types = SystemCallTypes.of("openat", "read");
    return plan(features, types, Optional.empty(), call).get(0);
  }

  @Test
  void theEntryOfOneSyscallHasATrampoline() {
    var opens = Probe.tracepoint("syscalls:sys_enter_openat").by(probe(), field("flags")).count();
    PlannedProgram planned = planCall(Offering.all(), opens);
    assertThat(planned.mechanism()).isEqualTo(Mechanism.FENTRY_SYSCALL);
    assertThat(systemCalls(planned)).containsExactly(257);
    assertThat(planned.number()).isEqualTo(new ProbeNumber.Constant(0));
    assertThat(planned.context().types()).isPresent();
    assertThat(planned.reason()).isEqualTo("it costs the least");
    PlannedProgram next = planned.next().orElseThrow();
    assertThat(next.mechanism()).isEqualTo(Mechanism.TRACEPOINT);
    assertThat(next.number()).isInstanceOf(ProbeNumber.Constant.class);
    assertThat(next.reason()).isEqualTo("the kernel refused fentry-syscall");
    assertThat(next.next()).isEmpty();
  }

  private static List<PlannedProgram> planScript(String script) {
    SimulatedTarget target =
        MANY_CALLS.withAttachFeatures(Offering.all()).withTypes(SystemCallTypes.of("read"));
    return new AttachPlanner(target, Optional.empty())
        .plan(new Analyzer(target).analyze(PlyScript.parse(script)));
  }

  @Test
  void theExitOfACallWhoseEntryIsSeenHasATrampolineAndIsAttachedFirst() {
    List<PlannedProgram> planned =
        planScript(
            "t:syscalls:sys_enter_read { @start[kpid] = time; }"
                + " t:syscalls:sys_exit_read / pid == 1 && @start[kpid] != 0 / {"
                + " @ns = quantize(time - @start[kpid]); delete(@start[kpid]); }");
    assertThat(planned)
        .flatExtracting(PlannedProgram::specs)
        .extracting(spec -> ((AttachSpec.Trampoline) spec).isReturn())
        .containsExactly(true, false);
    assertThat(planned.get(0).next().orElseThrow().mechanism()).isEqualTo(Mechanism.TRACEPOINT);
  }

  @Test
  void aCallThatDoesNotReturnHasNoTrampolineOnItsExit() {
    SimulatedTarget target =
        MANY_CALLS
            .withTracepoint("syscalls", FORMAT.formatted("sys_exit_exit"))
            .withAttachFeatures(Offering.all())
            .withTypes(SystemCallTypes.of("read", "exit"));
    String script =
        "t:syscalls:sys_enter_read { @s[kpid] = 1; }"
            + " t:syscalls:sys_exit_exit / @s[kpid] / { delete(@s[kpid]); }";
    assertThat(
            new AttachPlanner(target, Optional.empty())
                .plan(new Analyzer(target).analyze(PlyScript.parse(script))))
        .extracting(PlannedProgram::mechanism)
        .containsExactly(Mechanism.FENTRY_SYSCALL, Mechanism.TRACEPOINT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "EXIT { @ = count(); delete(@s[kpid]); }",
        "EXIT / @s[kpid] / { @ = count(); }",
        "EXIT / @s[kpid] || pid == 1 / { delete(@s[kpid]); }",
        "EXIT / @s[pid] / { delete(@s[pid]); }",
        "EXIT / @s[kpid] / { if (pid == 1) { return; } delete(@s[kpid]); }",
        "EXIT / @s[kpid] / { delete(@s[kpid]); } kprobe:vfs_read { @s[kpid] = 1; }",
        "EXIT / @s[kpid] / { delete(@s[kpid]); } EXIT { @ = count(); }",
      })
  void anExitThatMayBeNeededByItselfHasNone(String clauses) {
    String script =
        "t:syscalls:sys_enter_read { @s[%s] = 1; } "
                .formatted(clauses.contains("@s[pid") ? "pid" : "kpid")
            + clauses.replace("EXIT", "t:syscalls:sys_exit_read");
    assertThat(planScript(script))
        .filteredOn(planned -> sites(planned).get(0).contains("sys_exit"))
        .extracting(PlannedProgram::mechanism)
        .containsExactly(Mechanism.TRACEPOINT);
  }

  @Test
  void theReasonAgainstATrampolineIsReported() {
    var opens = Probe.tracepoint("syscalls:sys_enter_openat").by(field("flags")).count();
    assertThat(reasonAgainst(Offering.only(Mechanism.RAW_SYSCALLS), opens))
        .startsWith("no fentry-syscall: it is not offered");
    var writes = Probe.tracepoint("syscalls:sys_enter_write").by(field("count")).count();
    assertThat(reasonAgainst(Offering.all(), writes))
        .startsWith("no fentry-syscall: no type information for the call's function");
    var reads = Probe.tracepoint("syscalls:sys_exit_read").by(field("ret")).count();
    assertThat(reasonAgainst(Offering.all(), reads))
        .startsWith(
            "no fentry-syscall: exits of calls in flight, and of those seccomp refuses, would be"
                + " missed");
    var stacks = Probe.tracepoint("syscalls:sys_enter_openat").by(stack()).count();
    assertThat(planCall(Offering.all(), stacks).reason())
        .startsWith("no fentry-syscall: stacks would begin elsewhere;");
  }

  private static String reasonAgainst(AttachFeatures features, Probe call) {
    PlannedProgram planned = planCall(features, call);
    assertThat(planned.mechanism()).isEqualTo(Mechanism.TRACEPOINT);
    return planned.reason();
  }

  @Test
  void typesAreNotReadWithoutTrampolines() {
    var opens = Probe.tracepoint("syscalls:sys_enter_openat").by(field("flags")).count();
    KernelTypes unread =
        (KernelTypes)
            Proxy.newProxyInstance(
                KernelTypes.class.getClassLoader(),
                new Class<?>[] {KernelTypes.class},
                (proxy, method, arguments) -> {
                  throw new AssertionError(method + " is called");
                });
    AttachFeatures features = Offering.only(Mechanism.RAW_SYSCALLS);
    assertThat(plan(features, unread, Optional.empty(), opens))
        .extracting(PlannedProgram::mechanism)
        .containsExactly(Mechanism.TRACEPOINT);
  }

  @Test
  void trampolinesCanBeForcedOnManySyscalls() {
    var opens = Probe.tracepoint("syscalls:sys_enter_*").by(probe()).count();
    Optional<Mechanism> forced = Optional.of(Mechanism.FENTRY_SYSCALL);
    KernelTypes types =
        SystemCallTypes.of(
            "execve", "openat", "read", "write", "close", "lseek", "pread64", "dup", "getpid");
    assertThat(plan(Offering.all(), types, forced, opens))
        .extracting(PlannedProgram::mechanism)
        .hasSize(9)
        .containsOnly(Mechanism.FENTRY_SYSCALL);
    assertThatThrownBy(() -> plan(Offering.all(), forced, opens))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining(
            "cannot be attached by fentry-syscall:"
                + " no type information for the call's function");
  }

  @Test
  void entriesExitsAndOtherTracepointsArePlannedSeparately() {
    var all = Probe.tracepoint("*:*").by(comm()).count();
    assertThat(mechanisms(Offering.all(), all))
        .containsExactly(Mechanism.RAW_TRACEPOINT, Mechanism.RAW_SYSCALLS, Mechanism.TRACEPOINT);
  }

  @Test
  void aRecordRequiresATracepoint() {
    var switches = Probe.tracepoint("sched:sched_switch").by(field("prev_comm")).count();
    PlannedProgram planned = plan(Offering.all(), switches).get(0);
    assertThat(planned.mechanism()).isEqualTo(Mechanism.TRACEPOINT);
    assertThat(planned.reason())
        .isEqualTo(
            "no raw-syscalls: this is not a system call with a known number;"
                + " no raw-tracepoint: the record is read");
    var stacks = Probe.tracepoint("syscalls:sys_enter_openat").by(stack()).count();
    assertThat(mechanisms(Offering.all(), stacks)).containsExactly(Mechanism.TRACEPOINT);
  }

  @Test
  void withoutCookiesAProgramThatReadsProbeHasOneSite() {
    var calls = Probe.kprobe("vfs_read*").by(probe()).count();
    List<PlannedProgram> planned = plan(Offering.only(Mechanism.KPROBE), calls);
    assertThat(planned).hasSize(2);
    assertThat(planned.get(1).number()).isEqualTo(new ProbeNumber.Constant(1));
    assertThat(plan(Offering.all(), calls)).hasSize(1);
  }

  @Test
  void aMechanismCanBeForced() {
    var opens = Probe.tracepoint("syscalls:sys_enter_openat").by(field("flags")).count();
    var reads = Probe.kprobe("vfs_read").count();
    List<PlannedProgram> planned =
        plan(Offering.all(), Optional.of(Mechanism.TRACEPOINT), opens, reads.named("reads"));
    assertThat(planned)
        .extracting(PlannedProgram::mechanism)
        .containsExactly(Mechanism.TRACEPOINT, Mechanism.KPROBE);
    assertThat(planned.get(0).reason()).isEqualTo("it was asked for");
    assertThat(planned.get(0).next()).isEmpty();
  }

  @Test
  void aForcedMechanismThatCannotBeUsedIsAnError() {
    var switches = Probe.tracepoint("sched:sched_switch").by(field("prev_comm")).count();
    assertThatThrownBy(() -> plan(Offering.all(), Optional.of(Mechanism.RAW_TRACEPOINT), switches))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining(
            "tracepoint:sched:sched_switch cannot be attached by raw-tracepoint:"
                + " the record is read");
  }
}
