package dev.ply.bpf.plan;

import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.IrPrinter;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import java.util.stream.Stream;

/**
 * Clauses that do nothing unless an earlier hit of the same thread has stored something, which they
 * take: {@code / @start[tid] / { …; delete(@start[tid]); }}.
 */
final class PairedClause {
  private PairedClause() {}

  /** Returns the entries that a clause requires and takes; none if it runs without. */
  static Stream<MapRef> taken(Clause clause) {
    return clause.predicate().stream()
        .flatMap(PairedClause::conditions)
        .filter(map -> isOfThread(map) && deletes(clause, map));
  }

  /** Returns the entries of maps that a predicate requires to be other than zero. */
  private static Stream<MapRef> conditions(Expr predicate) {
    if (predicate instanceof Expr.Binary both && both.op() == BinaryOp.LOGICAL_AND) {
      return Stream.concat(conditions(both.left()), conditions(both.right()));
    }
    if (predicate instanceof Expr.Binary differs
        && differs.op() == BinaryOp.NE
        && differs.right() instanceof Expr.IntLiteral number
        && number.value() == 0) {
      return conditions(differs.left());
    }
    return predicate instanceof Expr.MapRead read ? Stream.of(read.map()) : Stream.empty();
  }

  /** Returns whether a map has a key that no two threads share. */
  static boolean isOfThread(MapRef map) {
    return map.keys().stream()
        .anyMatch(key -> key instanceof Expr.Call call && call.function() == ThreadBuiltins.KPID);
  }

  /** A return, or a statement that may contain one, must not come first. */
  private static boolean deletes(Clause clause, MapRef map) {
    for (Statement statement : clause.body().statements()) {
      if (statement instanceof Statement.Delete delete && text(delete.target()).equals(text(map))) {
        return true;
      }
      if (!(statement instanceof Statement.Delete
          || statement instanceof Statement.Assign
          || statement instanceof Statement.Store
          || statement instanceof Statement.Aggregate
          || statement instanceof Statement.Evaluate)) {
        return false;
      }
    }
    return false;
  }

  private static String text(MapRef map) {
    return IrPrinter.print(new Expr.MapRead(map, map.span()));
  }
}
