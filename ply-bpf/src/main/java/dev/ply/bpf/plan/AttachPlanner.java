package dev.ply.bpf.plan;

import dev.ply.analysis.AnalyzedProgram;
import dev.ply.analysis.AnalyzedScript;
import dev.ply.analysis.site.ProbeSite;
import dev.ply.bpf.btf.TypedFunction;
import dev.ply.bpf.object.AttachSpec;
import dev.ply.bpf.object.ProgramType;
import dev.ply.bpf.plan.Draft.Group;
import dev.ply.bpf.plan.SystemCallPlan.End;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Severity;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.BpftraceName;
import dev.ply.probe.KernelProbe;
import dev.ply.probe.Provider.Offer;
import dev.ply.selector.KernelSelector;
import dev.ply.target.AttachFeatures;
import dev.ply.target.Mechanism;
import dev.ply.target.Target;
import dev.ply.target.TracepointFormat;
import dev.ply.type.Dialect;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

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
  private final Suitability suitability;
  private final Map<Integer, String> names = new TreeMap<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private boolean namesOfBpftrace;

  /** Creates a planner for one script. */
  public AttachPlanner(Target target, Optional<Mechanism> forced) {
    this.target = target;
    this.features = target.attachFeatures();
    this.forced = forced;
    this.suitability = new Suitability(target, forced);
  }

  /**
   * Returns the programs of a script, each with its mechanism.
   *
   * @throws CompilationException if the forced mechanism cannot be used for a site
   */
  public List<PlannedProgram> plan(AnalyzedScript script) {
    PairedExits paired = new PairedExits(script);
    namesOfBpftrace = script.configuration().dialect() == Dialect.BPFTRACE;
    List<PlannedProgram> planned = new ArrayList<>();
    for (AnalyzedProgram program : script.programs()) {
      ContextUse use = ContextUse.of(program.clauses());
      for (List<ProbeSite> alike : alike(program.sites())) {
        planned.addAll(
            plan(new Group(alike, program.clauses(), use, paired.areAll(program.clauses()))));
      }
    }
    // A call whose exit would be missed must not be seen to start.
    planned.sort(Comparator.comparing(program -> !isExitOfCallFunction(program)));
    return planned;
  }

  private static boolean isExitOfCallFunction(PlannedProgram program) {
    return program.context() instanceof ProgramContext.SyscallFunction function
        && function.end() == End.EXIT;
  }

  /** Returns the names of probe sites in the script's language, by their numbers in programs. */
  public Map<Integer, String> probeNames() {
    return names;
  }

  /** The facts that determine the available mechanisms of a site. */
  private record Choices(Optional<End> systemCall, boolean followsCalls, boolean isByAddress) {}

  /** Groups sites by available mechanisms. */
  private List<List<ProbeSite>> alike(List<ProbeSite> sites) {
    Map<Choices, List<ProbeSite>> groups = new LinkedHashMap<>();
    for (ProbeSite site : sites) {
      Optional<End> end = SystemCallPlan.endOf(site.point());
      boolean isCall =
          end.isPresent() && SystemCallPlan.numberOf(site.point(), features).isPresent();
      Choices choices =
          new Choices(
              isCall ? end : Optional.empty(),
              FunctionPlan.followsCalls(site.point()),
              site.point() instanceof KernelProbe code
                  && code.place() instanceof KernelSelector.Address address
                  && address.name().isPresent());
      groups.computeIfAbsent(choices, unused -> new ArrayList<>()).add(site);
    }
    return List.copyOf(groups.values());
  }

  private List<PlannedProgram> plan(Group group) {
    AttachPoint point = group.first().point();
    Optional<Mechanism> only = forced.filter(one -> isFor(one, point));
    if (only.isPresent()) {
      suitability
          .reasonAgainst(only.get(), group)
          .ifPresent(
              reason -> {
                throw refusal(group.first(), only.get(), reason);
              });
      return numbered(group, only.get(), "it was asked for").stream()
          .map(draft -> program(draft, Optional.empty()))
          .toList();
    }
    List<Mechanism> choices = choices(point);
    StringBuilder reasons = new StringBuilder();
    for (int i = 0; i < choices.size(); i++) {
      Mechanism mechanism = choices.get(i);
      Optional<String> against = suitability.reasonAgainst(mechanism, group);
      if (against.isEmpty()) {
        String reason = reasons.isEmpty() ? reasonFor(point) : reasons.toString();
        List<Mechanism> rest = choices.subList(i + 1, choices.size());
        return numbered(group, mechanism, reason).stream()
            .map(draft -> program(draft, next(draft, rest)))
            .toList();
      }
      reasons.append(reasons.isEmpty() ? "" : "; ");
      reasons.append("no ").append(mechanism).append(": ").append(against.get());
    }
    throw new IllegalStateException("no mechanism attaches to " + point.definition());
  }

  private static String reasonFor(AttachPoint point) {
    return FunctionPlan.followsCalls(point) ? FunctionPlan.ONLY_EVENTS : "it costs the least";
  }

  private PlannedProgram program(Draft draft, Optional<PlannedProgram> next) {
    List<AttachSpec> specs = new SpecBuilder(target, draft).build();
    return new PlannedProgram(
        draft.group().clauses(), specs, context(draft, specs.get(0)), draft.number(), next);
  }

  /** Returns the alternative for a refusal by the kernel. */
  private Optional<PlannedProgram> next(Draft draft, List<Mechanism> rest) {
    // If one syscall is available, all are.
    if (draft.mechanism() == Mechanism.RAW_SYSCALLS) {
      return Optional.empty();
    }
    for (Mechanism other : rest) {
      if (suitability.reasonAgainst(other, draft.group()).isEmpty()
          && (draft.cookies().isEmpty() || features.hasCookies(other))) {
        String reason = "the kernel refused " + draft.mechanism();
        Draft instead =
            other == Mechanism.RAW_SYSCALLS
                ? ofSystemCalls(draft.group(), reason)
                : new Draft(draft.group(), other, draft.number(), draft.cookies(), reason);
        return Optional.of(program(instead, Optional.empty()));
      }
    }
    return Optional.empty();
  }

  /** Returns the context of a program of this type at these sites. */
  private ProgramContext context(Draft draft, AttachSpec spec) {
    Group group = draft.group();
    AttachPoint first = group.first().point();
    Optional<End> end = SystemCallPlan.endOf(first);
    return switch (spec.programType()) {
      case KPROBE, PERF_EVENT ->
          new ProgramContext.Registers(target.architecture().registersSize());
      case TRACEPOINT -> new ProgramContext.TracepointRecord(recordSize(group));
      case FENTRY, FEXIT, ITERATOR -> {
        TypedFunction types = FunctionPlan.typesAt(first, target).orElseThrow();
        yield end.isPresent()
            ? new ProgramContext.SyscallFunction(
                end.get(), SystemCallPlan.numberOf(first, features).orElseThrow(), types)
            : new ProgramContext.FunctionArguments(
                types, spec.programType() == ProgramType.ITERATOR);
      }
      case RAW_TRACEPOINT, TYPED_TRACEPOINT ->
          end.isPresent()
              ? new ProgramContext.AllSyscalls(
                  end.get(), systemCalls(group), SystemCallPlan.probe(end.get(), target))
              : rawArguments(group);
    };
  }

  private ProgramContext rawArguments(Group group) {
    return group.first().point() instanceof AttachPoint.RawTracepoint raw
        ? FunctionPlan.typesAt(raw, group.use(), target)
            .<ProgramContext>map(types -> new ProgramContext.FunctionArguments(types, false))
            .orElseGet(ProgramContext.RawArguments::new)
        : new ProgramContext.RawArguments();
  }

  private static int recordSize(Group group) {
    return group.clauses().stream()
        .flatMap(clause -> clause.tracepoint().stream())
        .mapToInt(TracepointFormat::size)
        .max()
        .orElse(0);
  }

  private List<Integer> systemCalls(Group group) {
    return group.sites().stream()
        .map(site -> SystemCallPlan.numberOf(site.point(), features).orElseThrow())
        .distinct()
        .sorted()
        .toList();
  }

  private static List<Mechanism> choices(AttachPoint point) {
    return switch (point.provider().orElseThrow()) {
      case KPROBE, KRETPROBE ->
          FunctionPlan.followsCalls(point)
              ? List.of(Mechanism.KPROBE_EVENTS)
              : List.of(Mechanism.FENTRY, Mechanism.KPROBE_MULTI, Mechanism.KPROBE);
      case FENTRY, FEXIT -> List.of(Mechanism.FENTRY);
      case TRACEPOINT ->
          SystemCallPlan.endOf(point).isPresent()
              ? List.of(
                  Mechanism.FENTRY_SYSCALL,
                  Mechanism.RAW_SYSCALLS,
                  Mechanism.RAW_TRACEPOINT,
                  Mechanism.TRACEPOINT)
              : List.of(Mechanism.RAW_SYSCALLS, Mechanism.RAW_TRACEPOINT, Mechanism.TRACEPOINT);
      case RAW_TRACEPOINT,
          UPROBE,
          URETPROBE,
          USDT,
          PROFILE,
          INTERVAL,
          SOFTWARE,
          HARDWARE,
          WATCHPOINT,
          ITERATOR,
          OFFCPU,
          BEGIN,
          END,
          SELF,
          TEST,
          BENCH ->
          List.of(Mechanism.DIRECT);
    };
  }

  /** Returns whether a forced mechanism applies to such attach points. */
  private static boolean isFor(Mechanism mechanism, AttachPoint point) {
    boolean isTyped = point.offers(Offer.NAMED_ARGUMENTS);
    return (mechanism.isForTracepoints() && point.offers(Offer.RECORD))
        || (mechanism.isForFunctions() && point instanceof KernelProbe && !isTyped);
  }

  /** Splits sites into programs that can tell their sites apart, if needed. */
  private List<Draft> numbered(Group group, Mechanism mechanism, String reason) {
    boolean asks = group.use().uses(ContextBuiltins.PROBE);
    if (mechanism == Mechanism.RAW_SYSCALLS) {
      return List.of(ofSystemCalls(group, reason));
    }
    // The kernel binds a trampoline's program to its function at load time, and one that hands
    // objects on to its raw tracepoint.
    boolean isBound =
        mechanism == Mechanism.FENTRY
            || mechanism == Mechanism.FENTRY_SYSCALL
            || (group.first().point() instanceof AttachPoint.RawTracepoint
                && group.use().handsOnObjects());
    if (!asks && !isBound) {
      return List.of(new Draft(group, mechanism, new ProbeNumber.Unused(), List.of(), reason));
    }
    if (!isBound && group.sites().size() > 1 && features.hasCookies(mechanism)) {
      List<Long> cookies = group.sites().stream().map(site -> (long) number(site)).toList();
      return List.of(new Draft(group, mechanism, new ProbeNumber.Cookie(), cookies, reason));
    }
    return group.sites().stream()
        .map(
            site ->
                new Draft(
                    group.at(site),
                    mechanism,
                    asks ? new ProbeNumber.Constant(number(site)) : new ProbeNumber.Unused(),
                    List.of(),
                    reason))
        .toList();
  }

  private Draft ofSystemCalls(Group group, String reason) {
    int base = SystemCallPlan.endOf(group.first().point()).orElseThrow().base();
    for (ProbeSite site : group.sites()) {
      int number = SystemCallPlan.numberOf(site.point(), features).orElseThrow();
      names.put(base + number, name(site));
    }
    List<Integer> numbers = systemCalls(group);
    return new Draft(
        group,
        Mechanism.RAW_SYSCALLS,
        numbers.size() == 1
            ? new ProbeNumber.Constant(base + numbers.get(0))
            : new ProbeNumber.OfSystemCall(base),
        List.of(),
        reason);
  }

  /** Sites with the same name, such as functions of several modules, share a number. */
  private int number(ProbeSite site) {
    String name = name(site);
    return numbers.computeIfAbsent(
        name,
        unused -> {
          int number = names.size();
          names.put(number, name);
          return number;
        });
  }

  private String name(ProbeSite site) {
    return namesOfBpftrace ? BpftraceName.of(site.point()) : site.point().definition();
  }

  private static CompilationException refusal(ProbeSite site, Mechanism forced, String reason) {
    return new CompilationException(
        List.of(
            new Diagnostic(
                Severity.ERROR,
                DiagnosticCode.NOT_OFFERED,
                site.span(),
                site.point().definition() + " cannot be attached by " + forced + ": " + reason,
                List.of("without --attach, another mechanism is chosen"))));
  }
}
