package dev.ply.analysis.site;

import dev.ply.Safety;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.Clause;
import dev.ply.ir.Script;
import dev.ply.ir.declaration.Configuration;
import dev.ply.ir.declaration.Setting;
import dev.ply.probe.AttachPoint;
import dev.ply.target.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Replaces clauses on probes of any kind, {@code *point:sched:sched_switch}, by one for each kind
 * that has such a probe on the target.
 */
public final class ExpandKinds {
  private static final Configuration WITHOUT_MISSING =
      new Configuration(Map.of(Setting.MISSING_PROBES, "ignore"));

  private final Target target;
  private final Configuration configuration;
  private final Diagnostics diagnostics;

  private ExpandKinds(Target target, Configuration configuration, Diagnostics diagnostics) {
    this.target = target;
    this.configuration = WITHOUT_MISSING.withDefaults(configuration);
    this.diagnostics = diagnostics;
  }

  public static Script apply(Script script, Target target, Diagnostics diagnostics) {
    if (script.clauses().stream()
        .noneMatch(clause -> clause.point() instanceof AttachPoint.AnyKind)) {
      return script;
    }
    ExpandKinds kinds = new ExpandKinds(target, script.configuration(), diagnostics);
    return script.withClauses(
        script.clauses().stream().flatMap(clause -> kinds.clauses(clause).stream()).toList());
  }

  private List<Clause> clauses(Clause clause) {
    if (!(clause.point() instanceof AttachPoint.AnyKind pattern)) {
      return List.of(clause);
    }
    List<Clause> found = new ArrayList<>();
    for (AttachPoint point : pattern.points()) {
      Clause one =
          new Clause(point, clause.pointSpan(), clause.predicate(), clause.body(), clause.span());
      if (exists(one)) {
        found.add(one);
      }
    }
    if (found.isEmpty()) {
      diagnostics.error(
          DiagnosticCode.UNKNOWN_FUNCTION,
          clause.pointSpan(),
          "no provider has a probe of this name",
          "looked for "
              + String.join(", ", pattern.points().stream().map(AttachPoint::definition).toList()));
      AttachPoint unknown = new AttachPoint.Unknown(pattern.definition());
      found.add(
          new Clause(
              unknown, clause.pointSpan(), clause.predicate(), clause.body(), clause.span()));
    }
    return found;
  }

  /** Missing probes are reported only if no provider has them. */
  private boolean exists(Clause clause) {
    Diagnostics unused = new Diagnostics();
    return !new ExpandPoint(target, configuration, Safety.UNSAFE, unused).apply(clause).isEmpty();
  }
}
