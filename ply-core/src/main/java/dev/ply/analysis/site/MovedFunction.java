package dev.ply.analysis.site;

import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.Walker;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.KernelProbe;
import dev.ply.probe.Provider.Offer;
import dev.ply.selector.KernelSelector;
import dev.ply.target.KernelTypes;
import dev.ply.target.Target;
import dev.ply.target.UnreadableTargetException;
import dev.ply.type.Type.KernelStruct;
import dev.ply.type.Type.PointerType;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds a function that a kernel lacks under the name that it has there: {@code kmem_cache_alloc}
 * is {@code kmem_cache_alloc_noprof} since Linux 6.10, and compilers clone functions, {@code
 * finish_task_switch.isra.0}. The arguments of a clone can differ from the source.
 */
final class MovedFunction {
  /** Allocations with this parameter, which kernels have by configuration, have one more. */
  private static final String BUCKETS = "struct kmem_buckets";

  private final Target target;
  private final Diagnostics diagnostics;

  MovedFunction(Target target, Diagnostics diagnostics) {
    this.target = target;
    this.diagnostics = diagnostics;
  }

  /**
   * Returns the same probe on the functions that a missing one became, none after an error; empty
   * if the function exists, or nothing is known of it.
   */
  Optional<List<AttachPoint>> apply(KernelProbe point, Clause clause) {
    Optional<KernelSelector.Function> function = FunctionHints.function(point);
    if (function.isEmpty() || !isMissing(point, function.get())) {
      return Optional.empty();
    }
    FunctionClones clones = FunctionClones.of(function.get().name(), target.symbols());
    List<String> names = clones.attachable();
    boolean isTyped = point.offers(Offer.NAMED_ARGUMENTS);
    boolean canMove =
        !names.isEmpty()
            && point.place() instanceof KernelSelector.Function
            && (!isTyped || names.stream().allMatch(this::hasTypes));
    if (!canMove) {
      return clones.isEmpty() ? Optional.empty() : Optional.of(missing(function.get(), clause));
    }
    boolean isOther =
        !isTyped && Uses.arguments(clause) && (clones.isCloned() || hasBuckets(names.get(0)));
    if (isOther) {
      diagnostics.error(
          DiagnosticCode.UNKNOWN_FUNCTION,
          clause.pointSpan(),
          function.get().name()
              + " is "
              + String.join(", ", names)
              + " in this kernel, with possibly other arguments and result",
          "the probe can be attached if it uses no arguments, registers or result; "
              + point.on(new KernelSelector.Function(names.get(0))).definition()
              + " shows this function's arguments");
      return Optional.of(List.of());
    }
    List<AttachPoint> points =
        names.stream()
            .<AttachPoint>map(name -> point.on(new KernelSelector.Function(name)))
            .toList();
    diagnostics.note(
        DiagnosticCode.REPLACED_FUNCTION,
        clause.pointSpan(),
        function.get().name() + " is " + String.join(", ", names) + " in this kernel",
        "attached is "
            + points.stream().map(AttachPoint::definition).collect(Collectors.joining(", "))
            + (clones.isCloned() ? "; calls that the compiler has inlined are not seen" : ""));
    return Optional.of(points);
  }

  private boolean isMissing(KernelProbe point, KernelSelector.Function function) {
    if (function.module().isPresent()) {
      return false;
    }
    try {
      return point.offers(Offer.NAMED_ARGUMENTS)
          ? !hasTypes(function.name())
              && target.symbols().missing(Set.of(function.name())).contains(function.name())
          : target.attachFeatures().isMissing(function.name(), target.symbols());
    } catch (UnreadableTargetException e) {
      return false;
    }
  }

  private List<AttachPoint> missing(KernelSelector.Function function, Clause clause) {
    diagnostics.add(FunctionHints.missing(clause.pointSpan(), function, target));
    return List.of();
  }

  private boolean hasTypes(String function) {
    return target.types().function(function).isPresent();
  }

  private boolean hasBuckets(String function) {
    return target.types().function(function).stream()
        .flatMap(known -> known.parameters().stream())
        .map(KernelTypes.Parameter::type)
        .anyMatch(
            type ->
                type instanceof PointerType pointer
                    && pointer.target() instanceof KernelStruct struct
                    && struct.name().equals(BUCKETS));
  }

  /** Finds what a clause reads of a call, and replaces nothing. */
  private static final class Uses extends Walker {
    private static final Set<Object> OF_CALL =
        Set.of(
            ContextBuiltins.SARG,
            ContextBuiltins.REG,
            ContextBuiltins.REGS,
            ContextBuiltins.DATA,
            ContextBuiltins.CTX,
            ContextBuiltins.RETVAL);

    private boolean found;

    static boolean arguments(Clause clause) {
      Uses uses = new Uses();
      uses.walk(clause);
      return uses.found;
    }

    @Override
    public Walker visit(Expr.Argument node) {
      found = true;
      return this;
    }

    @Override
    public Walker visit(Expr.Call node) {
      found |= OF_CALL.contains(node.function());
      return super.visit(node);
    }
  }
}
