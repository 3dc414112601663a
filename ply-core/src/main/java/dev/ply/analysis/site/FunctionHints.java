package dev.ply.analysis.site;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Severity;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.diagnostic.Suggestions;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.KernelProbe;
import dev.ply.selector.KernelSelector;
import dev.ply.target.Target;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a kernel has instead of a function that it lacks, for messages. */
public final class FunctionHints {
  private static final int MOST_NAMES = 4;

  private FunctionHints() {}

  /** Returns the error for a probed function that the kernel lacks. */
  public static Diagnostic missing(
      SourceSpan span, KernelSelector.Function function, Target target) {
    String what = "this kernel has no function \"" + function.name() + "\"";
    return new Diagnostic(
        Severity.ERROR,
        DiagnosticCode.UNKNOWN_FUNCTION,
        span,
        function
            .module()
            .map(module -> what + " in a module \"" + module + "\"")
            .orElse(what + ", or the compiler inlined it"),
        List.of(of(function, target)));
  }

  /** Returns whether a function that a kernel lacks has another name there, which is attached. */
  public static boolean isMoved(AttachPoint point, Target target) {
    return point.provider().isPresent()
        && point instanceof KernelProbe probe
        && probe.function().filter(function -> function.module().isEmpty()).isPresent()
        && !FunctionClones.of(probe.function().get().name(), target.symbols())
            .attachable()
            .isEmpty();
  }

  /** Returns the function that a probe is on or in. */
  static Optional<KernelSelector.Function> function(KernelProbe point) {
    return point.place() instanceof KernelSelector.Inside inside
        ? Optional.of(inside.function())
        : point.function();
  }

  static String[] of(KernelSelector.Function function, Target target) {
    String name = function.name();
    if (function.module().isPresent() && target.symbols().names().anyMatch(name::equals)) {
      return new String[] {Suggestions.NOT_IN_MODULE};
    }
    List<String> left = FunctionClones.of(name, target.symbols()).all();
    if (!left.isEmpty()) {
      return new String[] {
        "what is left of it is "
            + String.join(", ", left.subList(0, Math.min(left.size(), MOST_NAMES)))
            + ", made by the compiler: that can be probed by its name"
      };
    }
    List<String> names = KernelRenames.FUNCTIONS.get(name);
    Set<String> unknown = target.symbols().missing(Set.copyOf(names));
    List<String> renamed = names.stream().filter(one -> !unknown.contains(one)).toList();
    if (!renamed.isEmpty()) {
      return new String[] {"other kernels have it; this one has " + String.join(", ", renamed)};
    }
    return Suggestions.hint(name, target.symbols().names());
  }
}
