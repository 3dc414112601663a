package dev.ply.analysis;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.Expr;
import dev.ply.ir.Intrinsic;
import dev.ply.target.Target;
import java.util.Collection;
import java.util.Comparator;
import java.util.Set;

/** Tells, once for a script, that addresses of the kernel will be printed without names. */
final class NoteHidden {
  static final String HINT =
      "with sysctl kernel.kptr_restrict=1, who has CAP_SYSLOG sees them; with 2 nobody does";

  private static final Set<Intrinsic> NAMED =
      Set.of(Intrinsic.STACK, Intrinsic.CALLER, Intrinsic.KSYM);

  private NoteHidden() {}

  static void apply(Collection<AnalyzedClause> clauses, Target target, Diagnostics diagnostics) {
    clauses.stream()
        .flatMap(clause -> clause.expressions().stream())
        .filter(expr -> expr instanceof Expr.Call call && NAMED.contains(call.function()))
        .min(
            Comparator.comparingInt((Expr expr) -> expr.span().line())
                .thenComparingInt(expr -> expr.span().column()))
        .filter(first -> target.symbols().areHidden())
        .ifPresent(
            first ->
                diagnostics.note(
                    DiagnosticCode.HIDDEN_ADDRESSES,
                    first.span(),
                    "the kernel hides its addresses: they are printed without names",
                    HINT));
  }
}
