package dev.ply.bpf.plan;

import dev.ply.analysis.site.ProbeSite;
import dev.ply.bpf.btf.TypedFunction;
import dev.ply.bpf.btf.VerifierTypes;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.StackBuiltins;
import dev.ply.builtin.catalog.SystemBuiltins;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.KernelProbe;
import dev.ply.selector.KernelSelector;
import dev.ply.target.KernelTypes;
import dev.ply.target.Target;
import dev.ply.type.Type;
import dev.ply.type.Type.VoidType;
import java.util.List;
import java.util.Optional;

/** Decides when a trampoline shows a program the same as a kprobe. */
public final class FunctionPlan {
  /** The number of arguments that trampolines save on all kernels. */
  private static final int MOST_ARGUMENTS = 6;

  static final String ONLY_EVENTS = "only kprobe-events supports maxactive";

  private FunctionPlan() {}

  /** Returns whether this is a kretprobe with an explicit maxactive. */
  static boolean followsCalls(AttachPoint point) {
    return point instanceof KernelProbe.Kretprobe kretprobe && kretprobe.maxActive().isPresent();
  }

  /** Returns the function whose entry or exit is probed; empty for any other site. */
  static Optional<KernelSelector.Function> functionAt(AttachPoint point) {
    return point instanceof KernelProbe code ? code.function() : point.typedFunction();
  }

  /** Returns the types of the probed function, or of the one that implements the syscall. */
  public static Optional<TypedFunction> typesAt(AttachPoint point, Target target) {
    // A trampoline prevents unloading a module: only on explicit request.
    boolean asksForTypes = point.typedFunction().isPresent();
    return functionAt(point)
        .filter(function -> asksForTypes || function.module().isEmpty())
        .or(() -> SystemCallPlan.functionAt(point, target.architecture()))
        .flatMap(function -> VerifierTypes.of(target.types()).typedFunction(function));
  }

  /**
   * Returns the types of what a raw tracepoint hands to its programs, by the names that {@code
   * args} has; empty if nothing needs them.
   */
  static Optional<TypedFunction> typesAt(
      AttachPoint.RawTracepoint point, ContextUse use, Target target) {
    if (!use.handsOnObjects()) {
      return Optional.empty();
    }
    return VerifierTypes.of(target.types())
        .typedProbe(point.event())
        .map(probe -> named(probe, target.types().rawTracepoint(point.event())));
  }

  private static TypedFunction named(TypedFunction probe, Optional<KernelTypes.Function> caller) {
    int id = probe.signature().id();
    return caller
        .map(from -> new KernelTypes.Function(id, from.parameters(), from.result(), false))
        .map(function -> new TypedFunction(function, probe.words()))
        .orElse(probe);
  }

  static Optional<String> reasonAgainst(ProbeSite site, ContextUse use, Target target) {
    if (use.uses(ContextBuiltins.REGS)
        || use.uses(ContextBuiltins.CALLER)
        || use.uses(ContextBuiltins.CTX)) {
      return Optional.of("registers are not available");
    }
    if (use.uses(StackBuiltins.STACK)) {
      return Optional.of("stacks would begin elsewhere");
    }
    if (use.uses(SystemBuiltins.OVERRIDE)) {
      return Optional.of("only kprobes override results");
    }
    Optional<KernelTypes.Function> types =
        typesAt(site.point(), target).map(TypedFunction::signature);
    if (types.isEmpty()) {
      return Optional.of("no type information for this address");
    }
    List<KernelTypes.Parameter> parameters = types.get().parameters();
    if (types.get().isVariadic()
        || parameters.size() > MOST_ARGUMENTS
        || parameters.stream().anyMatch(parameter -> !parameter.type().isScalar())) {
      return Optional.of("not all arguments are passed in registers");
    }
    if (use.arguments().stream().anyMatch(index -> !isWord(parameters, index))) {
      return Optional.of("an argument that is read does not fill its register");
    }
    boolean hasResult = types.get().result().isScalar() || types.get().result() instanceof VoidType;
    if (!hasResult
        || (use.uses(ContextBuiltins.RETVAL) && types.get().result() instanceof VoidType)) {
      return Optional.of("the result is not in a register");
    }
    String name = functionAt(site.point()).orElseThrow().name();
    return target.attachFeatures().isProbeable(name, target.symbols())
        ? Optional.empty()
        : Optional.of("kprobes are not allowed there");
  }

  /** For narrower arguments, a kprobe shows the whole register. */
  private static boolean isWord(List<KernelTypes.Parameter> parameters, int index) {
    return index < parameters.size() && typeOf(parameters, index).size() == Long.BYTES;
  }

  private static Type typeOf(List<KernelTypes.Parameter> parameters, int index) {
    return parameters.get(index).type();
  }
}
