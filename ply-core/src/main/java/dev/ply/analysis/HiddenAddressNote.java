package dev.ply.analysis;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.Expr;
import dev.ply.ir.Intrinsic;
import dev.ply.ir.SourceSpan;
import dev.ply.target.Target;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/** Tells, once for a script, that addresses of the kernel will be printed without names. */
final class HiddenAddressNote {
  static final String HINT =
      "with sysctl kernel.kptr_restrict=1, who has CAP_SYSLOG sees them; with 2 nobody does";

  private static final Set<Intrinsic> NAMED =
      Set.of(Intrinsic.STACK, Intrinsic.CALLER, Intrinsic.KSYM);

  private HiddenAddressNote() {}

  static void apply(Collection<AnalyzedClause> clauses, Target target, Diagnostics diagnostics) {
    Optional<Expr> first = Optional.empty();
    // No stream: this is on the way of every start.
    for (AnalyzedClause clause : clauses) {
      for (Expr expr : clause.expressions()) {
        if (expr instanceof Expr.Call call
            && NAMED.contains(call.function())
            && (first.isEmpty() || isBefore(expr.span(), first.get().span()))) {
          first = Optional.of(expr);
        }
      }
    }
    if (first.isPresent() && target.symbols().areHidden()) {
      diagnostics.note(
          DiagnosticCode.HIDDEN_ADDRESSES,
          first.get().span(),
          "the kernel hides its addresses: they are printed without names",
          HINT);
    }
  }

  private static boolean isBefore(SourceSpan one, SourceSpan other) {
    return one.line() < other.line()
        || (one.line() == other.line() && one.column() < other.column());
  }
}
