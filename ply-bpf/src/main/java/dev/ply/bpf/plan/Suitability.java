package dev.ply.bpf.plan;

import dev.ply.analysis.site.ProbeSite;
import dev.ply.bpf.plan.Draft.Group;
import dev.ply.bpf.plan.SystemCallPlan.End;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.StackBuiltins;
import dev.ply.probe.AttachPoint;
import dev.ply.selector.KernelSelector;
import dev.ply.target.AttachFeatures;
import dev.ply.target.Mechanism;
import dev.ply.target.Target;
import java.util.Optional;

/** Determines whether a mechanism is available, shows a program the same, and is worthwhile. */
final class Suitability {
  /**
   * Number of system calls up to which each has an attachment of its own, so that others cost
   * little. With more, one call in eight is likely traced; from there on, a program on all calls
   * costs less than records.
   */
  private static final int FEW_CALLS = 8;

  private final Target target;
  private final AttachFeatures features;
  private final Optional<Mechanism> forced;

  Suitability(Target target, Optional<Mechanism> forced) {
    this.target = target;
    this.features = target.attachFeatures();
    this.forced = forced;
  }

  /** Returns why a mechanism cannot be used, as the end of a sentence; empty if it can. */
  Optional<String> reasonAgainst(Mechanism mechanism, Group group) {
    AttachPoint first = group.first().point();
    if (mechanism != Mechanism.KPROBE_EVENTS && FunctionPlan.followsCalls(first)) {
      return Optional.of(FunctionPlan.ONLY_EVENTS);
    }
    return switch (mechanism) {
      case FENTRY -> againstTrampoline(group);
      case KPROBE_MULTI -> againstMulti(group);
      case FENTRY_SYSCALL -> againstSystemCallFunction(group);
      case RAW_SYSCALLS -> againstAllSystemCalls(group);
      case RAW_TRACEPOINT -> againstRaw(group);
      case KPROBE, KPROBE_EVENTS, TRACEPOINT, DIRECT -> features.reasonAgainst(mechanism);
    };
  }

  private Optional<String> againstTrampoline(Group group) {
    if (group.first().point().typedFunction().isPresent()) {
      return Optional.empty();
    }
    if (group.sites().size() > 1 && !isForced(Mechanism.FENTRY)) {
      return Optional.of("these are many functions");
    }
    return features
        .reasonAgainst(Mechanism.FENTRY)
        .or(
            () ->
                group.sites().stream()
                    .flatMap(site -> FunctionPlan.reasonAgainst(site, group.use(), target).stream())
                    .findFirst());
  }

  private Optional<String> againstSystemCallFunction(Group group) {
    AttachPoint first = group.first().point();
    if (group.sites().size() > FEW_CALLS && !isForced(Mechanism.FENTRY_SYSCALL)) {
      return Optional.of("these are many system calls");
    }
    if (SystemCallPlan.endOf(first).equals(Optional.of(End.EXIT))) {
      if (!group.isPaired()) {
        return Optional.of(
            "exits of calls in flight, and of those seccomp refuses, would be missed");
      }
      if (!group.sites().stream().map(ProbeSite::point).allMatch(SystemCallPlan::returns)) {
        return Optional.of("this call does not return");
      }
    }
    // Types come last, so that BTF is read only if nothing else rules it out.
    return SystemCallPlan.reasonAgainst(
            Mechanism.FENTRY_SYSCALL, first, group.use(), group.clauses(), target)
        .or(
            () ->
                group.sites().stream()
                        .allMatch(site -> FunctionPlan.typesAt(site.point(), target).isPresent())
                    ? Optional.empty()
                    : Optional.of("no type information for the call's function"));
  }

  private Optional<String> againstAllSystemCalls(Group group) {
    return SystemCallPlan.reasonAgainst(
            Mechanism.RAW_SYSCALLS, group.first().point(), group.use(), group.clauses(), target)
        .or(
            () ->
                group.sites().size() <= FEW_CALLS && !isForced(Mechanism.RAW_SYSCALLS)
                    ? Optional.of("every other system call would run the program")
                    : Optional.empty());
  }

  private boolean isForced(Mechanism mechanism) {
    return forced.equals(Optional.of(mechanism));
  }

  private Optional<String> againstMulti(Group group) {
    ContextUse use = group.use();
    if (group.sites().size() == 1 && !isForced(Mechanism.KPROBE_MULTI)) {
      return Optional.of("this is one function");
    }
    if (use.uses(StackBuiltins.STACK)
        || use.uses(ContextBuiltins.REGS)
        || use.uses(ContextBuiltins.CALLER)
        || use.uses(ContextBuiltins.CTX)) {
      return Optional.of("not all registers are as a kprobe shows them");
    }
    for (ProbeSite site : group.sites()) {
      Optional<KernelSelector.Function> function = FunctionPlan.functionAt(site.point());
      if (function.isEmpty() || function.get().module().isPresent()) {
        return Optional.of("not all sites are function entries without a module");
      }
    }
    return features.reasonAgainst(Mechanism.KPROBE_MULTI);
  }

  private Optional<String> againstRaw(Group group) {
    if (group.use().readsRecord() || group.use().uses(ContextBuiltins.CTX)) {
      return Optional.of("the record is read");
    }
    if (group.use().uses(StackBuiltins.STACK)) {
      return Optional.of("stacks would begin elsewhere");
    }
    // Syscall tracepoints are fed by sys_enter and sys_exit, the raw tracepoints of all syscalls.
    return group.sites().stream().anyMatch(site -> SystemCallPlan.endOf(site.point()).isPresent())
        ? Optional.of("a system call has no tracepoint of its own in the kernel")
        : features.reasonAgainst(Mechanism.RAW_TRACEPOINT);
  }
}
