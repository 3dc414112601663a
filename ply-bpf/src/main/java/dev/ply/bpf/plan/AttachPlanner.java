package dev.ply.bpf.plan;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.analysis.AnalyzedProgram;
import dev.ply.analysis.AnalyzedScript;
import dev.ply.analysis.ProbeSite;
import dev.ply.bpf.plan.SystemCallPlan.End;
import dev.ply.builtin.ContextBuiltins;
import dev.ply.builtin.StackBuiltins;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Severity;
import dev.ply.ir.AttachPoint;
import dev.ply.ir.KernelSelector;
import dev.ply.target.AttachFeatures;
import dev.ply.target.Mechanism;
import dev.ply.target.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Chooses how the programs of a script are attached: of the mechanisms that show a program the
 * same, the first that the target offers. For functions they are {@code fentry}, {@code
 * kprobe-multi}, {@code kprobe}; for tracepoints {@code fentry-syscall}, {@code raw-syscalls},
 * {@code raw-tracepoint}, {@code tracepoint}. One can be forced on all places that it can be used
 * for.
 */
public final class AttachPlanner {
  private final Target target;
  private final AttachFeatures features;
  private final Optional<Mechanism> forced;
  private final Map<Integer, String> names = new TreeMap<>();

  /** A planner for one script. */
  public AttachPlanner(Target target, Optional<Mechanism> forced) {
    this.target = target;
    this.features = target.attachFeatures();
    this.forced = forced;
  }

  /**
   * Returns the programs of a script, each with its mechanism.
   *
   * @throws CompilationException if the forced mechanism cannot be used somewhere
   */
  public List<PlannedProgram> plan(AnalyzedScript script) {
    List<PlannedProgram> planned = new ArrayList<>();
    for (AnalyzedProgram program : script.programs()) {
      ContextUse use = ContextUse.of(program.clauses());
      for (List<ProbeSite> alike : alike(program.sites())) {
        planned.addAll(plan(alike, program.clauses(), use));
      }
    }
    return planned;
  }

  /** Returns the definitions of places, by the numbers that programs know them by. */
  public Map<Integer, String> probeNames() {
    return names;
  }

  /** What decides which choices there are for a place. */
  private record Choices(Optional<End> systemCall, boolean followsCalls) {}

  /** Splits places by the choices that there are. */
  private List<List<ProbeSite>> alike(List<ProbeSite> sites) {
    Map<Choices, List<ProbeSite>> groups = new LinkedHashMap<>();
    for (ProbeSite site : sites) {
      Optional<End> end = SystemCallPlan.endOf(site.point());
      boolean isCall =
          end.isPresent() && SystemCallPlan.numberOf(site.point(), features).isPresent();
      Choices choices =
          new Choices(isCall ? end : Optional.empty(), FunctionPlan.followsCalls(site.point()));
      groups.computeIfAbsent(choices, unused -> new ArrayList<>()).add(site);
    }
    return List.copyOf(groups.values());
  }

  private List<PlannedProgram> plan(
      List<ProbeSite> sites, List<AnalyzedClause> clauses, ContextUse use) {
    List<Mechanism> choices = choices(sites.get(0).point());
    Optional<Mechanism> only = forced.filter(one -> isFor(one, sites.get(0).point()));
    if (only.isPresent()) {
      reasonAgainst(only.get(), sites, clauses, use)
          .ifPresent(
              reason -> {
                throw refusal(sites.get(0), only.get(), reason);
              });
      return numbered(sites, clauses, use, only.get(), "it was asked for");
    }
    StringBuilder reasons = new StringBuilder();
    for (int i = 0; i < choices.size(); i++) {
      Mechanism mechanism = choices.get(i);
      Optional<String> against = reasonAgainst(mechanism, sites, clauses, use);
      if (against.isEmpty()) {
        String reason = reasons.isEmpty() ? reasonFor(sites.get(0)) : reasons.toString();
        return withNext(numbered(sites, clauses, use, mechanism, reason), i, choices, use);
      }
      reasons.append(reasons.isEmpty() ? "" : "; ");
      reasons.append("no ").append(mechanism).append(": ").append(against.get());
    }
    throw new IllegalStateException("no way to attach to " + sites.get(0).point().definition());
  }

  private static String reasonFor(ProbeSite site) {
    return FunctionPlan.followsCalls(site.point())
        ? FunctionPlan.ONLY_EVENTS
        : "it costs the least";
  }

  /** Adds what to do where the kernel refuses after all. */
  private List<PlannedProgram> withNext(
      List<PlannedProgram> programs, int chosen, List<Mechanism> choices, ContextUse use) {
    List<PlannedProgram> all = new ArrayList<>(programs.size());
    for (PlannedProgram program : programs) {
      all.add(program.withNext(next(program, chosen, choices, use)));
    }
    return all;
  }

  private Optional<PlannedProgram> next(
      PlannedProgram program, int chosen, List<Mechanism> choices, ContextUse use) {
    // All system calls can be had wherever one can.
    if (program.mechanism() == Mechanism.RAW_SYSCALLS) {
      return Optional.empty();
    }
    for (Mechanism other : choices.subList(chosen + 1, choices.size())) {
      if (reasonAgainst(other, program.sites(), program.clauses(), use).isEmpty()
          && (program.cookies().isEmpty() || features.hasCookies(other))) {
        String reason = "the kernel refused " + program.mechanism();
        return Optional.of(
            other == Mechanism.RAW_SYSCALLS
                ? ofSystemCalls(program.sites(), program.clauses(), reason)
                : program(
                    program.sites(),
                    program.clauses(),
                    other,
                    program.number(),
                    program.cookies(),
                    reason));
      }
    }
    return Optional.empty();
  }

  private static List<Mechanism> choices(AttachPoint point) {
    if (FunctionPlan.followsCalls(point)) {
      return List.of(Mechanism.KPROBE_EVENTS);
    }
    if (point instanceof AttachPoint.Kprobe || point instanceof AttachPoint.Kretprobe) {
      return List.of(Mechanism.FENTRY, Mechanism.KPROBE_MULTI, Mechanism.KPROBE);
    }
    if (point.typedFunction().isPresent()) {
      return List.of(Mechanism.FENTRY);
    }
    if (SystemCallPlan.endOf(point).isPresent()) {
      return List.of(
          Mechanism.FENTRY_SYSCALL,
          Mechanism.RAW_SYSCALLS,
          Mechanism.RAW_TRACEPOINT,
          Mechanism.TRACEPOINT);
    }
    return point instanceof AttachPoint.Tracepoint
        ? List.of(Mechanism.RAW_SYSCALLS, Mechanism.RAW_TRACEPOINT, Mechanism.TRACEPOINT)
        : List.of(Mechanism.DIRECT);
  }

  private static boolean isFor(Mechanism mechanism, AttachPoint point) {
    return point instanceof AttachPoint.Tracepoint
        ? mechanism.isForTracepoints()
        : (point instanceof AttachPoint.Kprobe || point instanceof AttachPoint.Kretprobe)
            && mechanism.isForFunctions();
  }

  private Optional<String> reasonAgainst(
      Mechanism mechanism, List<ProbeSite> sites, List<AnalyzedClause> clauses, ContextUse use) {
    if (mechanism != Mechanism.KPROBE_EVENTS && FunctionPlan.followsCalls(sites.get(0).point())) {
      return Optional.of(FunctionPlan.ONLY_EVENTS);
    }
    return switch (mechanism) {
      case FENTRY -> againstTrampoline(sites, use);
      case KPROBE_MULTI -> againstMulti(sites, use);
      case FENTRY_SYSCALL -> againstSystemCallFunction(sites, clauses, use);
      case RAW_SYSCALLS ->
          SystemCallPlan.reasonAgainst(mechanism, sites.get(0).point(), use, clauses, target);
      case RAW_TRACEPOINT -> againstRaw(sites, use);
      case KPROBE, KPROBE_EVENTS, TRACEPOINT, DIRECT -> features.reasonAgainst(mechanism);
    };
  }

  private Optional<String> againstTrampoline(List<ProbeSite> sites, ContextUse use) {
    if (sites.get(0).point().typedFunction().isPresent()) {
      return Optional.empty();
    }
    if (sites.size() > 1 && !isForced(Mechanism.FENTRY)) {
      return Optional.of("these are many functions");
    }
    return features
        .reasonAgainst(Mechanism.FENTRY)
        .or(
            () ->
                sites.stream()
                    .flatMap(site -> FunctionPlan.reasonAgainst(site, use, target).stream())
                    .findFirst());
  }

  private Optional<String> againstSystemCallFunction(
      List<ProbeSite> sites, List<AnalyzedClause> clauses, ContextUse use) {
    AttachPoint first = sites.get(0).point();
    if (sites.size() > 1 && !isForced(Mechanism.FENTRY_SYSCALL)) {
      return Optional.of("these are many system calls");
    }
    if (SystemCallPlan.endOf(first).equals(Optional.of(End.EXIT))) {
      return Optional.of("calls that are under way already would not be seen to end");
    }
    // Types come last: where the rest rules it out, they need not be read.
    return SystemCallPlan.reasonAgainst(Mechanism.FENTRY_SYSCALL, first, use, clauses, target)
        .or(
            () ->
                sites.stream()
                        .allMatch(site -> FunctionPlan.typesAt(site.point(), target).isPresent())
                    ? Optional.empty()
                    : Optional.of("there is no type information about the call's own function"));
  }

  private boolean isForced(Mechanism mechanism) {
    return forced.equals(Optional.of(mechanism));
  }

  private Optional<String> againstMulti(List<ProbeSite> sites, ContextUse use) {
    if (sites.size() == 1 && !isForced(Mechanism.KPROBE_MULTI)) {
      return Optional.of("this is one function");
    }
    if (use.uses(StackBuiltins.STACK)
        || use.uses(ContextBuiltins.REGS)
        || use.uses(ContextBuiltins.CALLER)
        || use.uses(ContextBuiltins.CTX)) {
      return Optional.of("not all registers are as a kprobe shows them");
    }
    for (ProbeSite site : sites) {
      Optional<KernelSelector.Function> function = FunctionPlan.functionAt(site.point());
      if (function.isEmpty() || function.get().module().isPresent()) {
        return Optional.of("not all places are the entries of functions, without a module's name");
      }
    }
    return features.reasonAgainst(Mechanism.KPROBE_MULTI);
  }

  private Optional<String> againstRaw(List<ProbeSite> sites, ContextUse use) {
    if (use.readsRecord() || use.uses(ContextBuiltins.CTX)) {
      return Optional.of("the record is read");
    }
    if (use.uses(StackBuiltins.STACK)) {
      return Optional.of("stacks would begin elsewhere");
    }
    // Behind the tracepoints of system calls stands another, of all of them.
    return sites.stream().anyMatch(site -> SystemCallPlan.endOf(site.point()).isPresent())
        ? Optional.of("a system call has no tracepoint of its own in the kernel")
        : features.reasonAgainst(Mechanism.RAW_TRACEPOINT);
  }

  /** Sees to it that the program can tell its places apart, if it asks. */
  private List<PlannedProgram> numbered(
      List<ProbeSite> sites,
      List<AnalyzedClause> clauses,
      ContextUse use,
      Mechanism mechanism,
      String reason) {
    boolean asks = use.uses(ContextBuiltins.PROBE);
    if (mechanism == Mechanism.RAW_SYSCALLS) {
      return List.of(ofSystemCalls(sites, clauses, reason));
    }
    if (mechanism == Mechanism.FENTRY || mechanism == Mechanism.FENTRY_SYSCALL) {
      return sites.stream()
          .map(site -> trampoline(site, clauses, mechanism, asks, reason))
          .toList();
    }
    if (!asks) {
      return List.of(
          program(sites, clauses, mechanism, new ProbeNumber.Unused(), List.of(), reason));
    }
    if (sites.size() > 1 && features.hasCookies(mechanism)) {
      List<Integer> cookies = sites.stream().map(this::number).toList();
      return List.of(program(sites, clauses, mechanism, new ProbeNumber.Cookie(), cookies, reason));
    }
    return sites.stream()
        .map(
            site ->
                program(
                    List.of(site),
                    clauses,
                    mechanism,
                    new ProbeNumber.Constant(number(site)),
                    List.of(),
                    reason))
        .toList();
  }

  /** The kernel binds such a program to its function when it is loaded. */
  private PlannedProgram trampoline(
      ProbeSite site,
      List<AnalyzedClause> clauses,
      Mechanism mechanism,
      boolean asks,
      String reason) {
    return new PlannedProgram(
        List.of(site),
        clauses,
        mechanism,
        asks ? new ProbeNumber.Constant(number(site)) : new ProbeNumber.Unused(),
        List.of(),
        SystemCallPlan.numberOf(site.point(), features).stream().boxed().toList(),
        FunctionPlan.typesAt(site.point(), target),
        reason,
        Optional.empty());
  }

  private PlannedProgram ofSystemCalls(
      List<ProbeSite> sites, List<AnalyzedClause> clauses, String reason) {
    End end = SystemCallPlan.endOf(sites.get(0).point()).orElseThrow();
    int base = end.base();
    Set<Integer> numbers = new TreeSet<>();
    for (ProbeSite site : sites) {
      OptionalInt number = SystemCallPlan.numberOf(site.point(), features);
      numbers.add(number.orElseThrow());
      names.put(base + number.orElseThrow(), site.point().definition());
    }
    return new PlannedProgram(
        sites,
        clauses,
        Mechanism.RAW_SYSCALLS,
        numbers.size() == 1
            ? new ProbeNumber.Constant(base + numbers.iterator().next())
            : new ProbeNumber.OfSystemCall(base),
        List.of(),
        List.copyOf(numbers),
        features.loadsThread() ? target.types().rawTracepointProbe(end.event()) : Optional.empty(),
        reason,
        Optional.empty());
  }

  private int number(ProbeSite site) {
    int number = names.size();
    names.put(number, site.point().definition());
    return number;
  }

  private static PlannedProgram program(
      List<ProbeSite> sites,
      List<AnalyzedClause> clauses,
      Mechanism mechanism,
      ProbeNumber number,
      List<Integer> cookies,
      String reason) {
    return new PlannedProgram(
        sites,
        clauses,
        mechanism,
        number,
        cookies,
        List.of(),
        Optional.empty(),
        reason,
        Optional.empty());
  }

  private static CompilationException refusal(ProbeSite site, Mechanism forced, String reason) {
    return new CompilationException(
        List.of(
            new Diagnostic(
                Severity.ERROR,
                DiagnosticCode.NOT_OFFERED,
                site.span(),
                site.point().definition() + " cannot be attached by " + forced + ": " + reason,
                List.of("without --attach, another way is chosen"))));
  }
}
