package dev.ply.analysis;

import dev.ply.builtin.SymbolBuiltins;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.Expr;
import dev.ply.ir.SourceSpan;
import dev.ply.target.Target;
import dev.ply.type.IntFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import java.util.Collection;
import java.util.Optional;

/** Tells, once for a script, that addresses of the kernel will be printed without names. */
final class HiddenAddressNote {
  private HiddenAddressNote() {}

  static void apply(Collection<AnalyzedClause> clauses, Target target, Diagnostics diagnostics) {
    Optional<Expr> first = Optional.empty();
    // No stream: this is on the way of every start.
    for (AnalyzedClause clause : clauses) {
      for (Expr expr : clause.expressions()) {
        if (expr instanceof Expr.Call call
            && isNamed(clause.typeOf(call))
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
          SymbolBuiltins.HIDDEN_HINT);
    }
  }

  private static boolean isNamed(Type type) {
    return type instanceof IntType integer
        && (integer.format() == IntFormat.SYMBOL || integer.format() == IntFormat.STACK);
  }

  private static boolean isBefore(SourceSpan one, SourceSpan other) {
    return one.line() < other.line()
        || (one.line() == other.line() && one.column() < other.column());
  }
}
