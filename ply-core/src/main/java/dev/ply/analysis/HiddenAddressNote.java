package dev.ply.analysis;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import dev.ply.target.Target;
import dev.ply.type.IntFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/**
 * Adds one note to a script that prints addresses which cannot be symbolised, with the privilege it
 * takes.
 */
final class HiddenAddressNote {
  private static final Set<IntFormat> KERNEL =
      Set.of(IntFormat.SYMBOL, IntFormat.STACK, IntFormat.FUNCTIONS);
  private static final Set<IntFormat> USER = Set.of(IntFormat.USER_STACK, IntFormat.USER_FUNCTIONS);

  private HiddenAddressNote() {}

  static void apply(Collection<AnalyzedClause> clauses, Target target, Diagnostics diagnostics) {
    Optional<Expr> kernel = first(clauses, KERNEL);
    if (kernel.isPresent()) {
      target
          .symbols()
          .hiddenUnless()
          .ifPresent(
              required ->
                  diagnostics.note(
                      DiagnosticCode.HIDDEN_ADDRESSES,
                      kernel.get().span(),
                      "the kernel hides its addresses: they are printed without names",
                      required));
    }
    Optional<Expr> user = first(clauses, USER);
    if (user.isPresent()) {
      target
          .userSymbols()
          .hiddenUnless()
          .ifPresent(
              required ->
                  diagnostics.note(
                      DiagnosticCode.HIDDEN_ADDRESSES,
                      user.get().span(),
                      "addresses in processes of other users, or with more capabilities, are"
                          + " printed without names",
                      required));
    }
  }

  /** Returns the first call that prints an address. No stream: this is on the startup path. */
  private static Optional<Expr> first(Collection<AnalyzedClause> clauses, Set<IntFormat> formats) {
    Optional<Expr> first = Optional.empty();
    for (AnalyzedClause clause : clauses) {
      for (Expr expr : clause.expressions()) {
        if (expr instanceof Expr.Call call
            && shows(clause.typeOf(call), formats)
            && (first.isEmpty() || isBefore(expr.span(), first.get().span()))) {
          first = Optional.of(expr);
        }
      }
    }
    return first;
  }

  private static boolean shows(Type type, Set<IntFormat> formats) {
    return type instanceof IntType integer
        ? formats.contains(integer.format())
        : type.isStack() && type.parts().stream().anyMatch(part -> shows(part.type(), formats));
  }

  private static boolean isBefore(SourceSpan one, SourceSpan other) {
    return one.line() < other.line()
        || (one.line() == other.line() && one.column() < other.column());
  }
}
