package dev.ply.kernel;

import dev.ply.analysis.site.FunctionHints;
import dev.ply.analysis.site.OldSystemCalls;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.ir.Clause;
import dev.ply.ir.Script;
import dev.ply.probe.KernelProbe;
import dev.ply.selector.Glob;
import dev.ply.selector.KernelSelector;
import dev.ply.target.FunctionCatalog;
import dev.ply.target.Target;
import dev.ply.target.UnreadableTargetException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds kprobes on functions that a kernel lacks, without attaching. fentry and fexit are checked
 * in analysis.
 */
public final class MissingFunctions {
  private MissingFunctions() {}

  /**
   * {@return an error for each; none if the script skips missing probes, or this process cannot
   * read the kernel's functions}
   *
   * @param script parsed or built
   * @param target the running kernel
   */
  public static List<Diagnostic> find(Script script, Target target) {
    if (script.configuration().skipsMissingProbes()) {
      return List.of();
    }
    Set<String> named = new HashSet<>();
    for (Clause clause : script.clauses()) {
      function(clause).ifPresent(function -> named.add(function.name()));
    }
    if (named.isEmpty()) {
      return List.of();
    }
    Set<String> unknown;
    try {
      unknown = target.symbols().missing(named);
    } catch (UnreadableTargetException e) {
      return List.of();
    }
    List<Diagnostic> missing = new ArrayList<>();
    for (Clause clause : script.clauses()) {
      function(clause)
          .filter(function -> unknown.contains(function.name()) || !isInModule(function, target))
          .filter(function -> !OldSystemCalls.isSystemCall(clause.point(), target))
          .filter(function -> !FunctionHints.isMoved(clause.point(), target))
          .map(function -> FunctionHints.missing(clause.pointSpan(), function, target))
          .ifPresent(missing::add);
    }
    return List.copyOf(missing);
  }

  /** The kernel takes a kprobe on a module that is not loaded, and waits for the module. */
  private static boolean isInModule(KernelSelector.Function function, Target target) {
    if (function.module().isEmpty()) {
      return true;
    }
    KernelSelector.Functions itself =
        new KernelSelector.Functions(function.module().map(Glob::new), new Glob(function.name()));
    try {
      FunctionCatalog.Selection found = target.functions().select(itself);
      return !found.functions().isEmpty()
          || found.untraceable() + found.ambiguous() + found.shared().size() > 0;
    } catch (UnreadableTargetException e) {
      return true;
    }
  }

  private static Optional<KernelSelector.Function> function(Clause clause) {
    if (!(clause.point() instanceof KernelProbe code) || code.typedFunction().isPresent()) {
      return Optional.empty();
    }
    return code.place() instanceof KernelSelector.Inside inside
        ? Optional.of(inside.function())
        : code.function();
  }
}
