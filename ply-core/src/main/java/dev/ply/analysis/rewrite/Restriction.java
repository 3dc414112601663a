package dev.ply.analysis.rewrite;

import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.Script;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.TimerProbe;
import dev.ply.probe.TracerProbe;
import java.util.List;
import java.util.Optional;

/**
 * Restricts a script to hits for which a condition holds: every clause except those that ply itself
 * runs, iterators and intervals, which no process hits.
 *
 * @param condition evaluated before a clause's own
 */
public record Restriction(Expr condition) {
  /** {@return a restriction to a process} */
  public static Restriction toProcess(long pid) {
    return new Restriction(
        new Expr.Binary(
            BinaryOp.EQ,
            new Expr.Call(ThreadBuiltins.PID, List.of(), SourceSpan.NONE),
            new Expr.IntLiteral(pid, SourceSpan.NONE),
            SourceSpan.NONE));
  }

  /** Returns the restricted script. */
  public Script apply(Script script) {
    // Clauses that built-ins add are restricted, too.
    Script paired = PairCalls.apply(script);
    return paired.withClauses(paired.clauses().stream().map(this::restricted).toList());
  }

  private Clause restricted(Clause clause) {
    AttachPoint point = clause.point();
    if (point instanceof TracerProbe
        || point instanceof AttachPoint.Iterator
        || point instanceof TimerProbe.Interval) {
      return clause;
    }
    Expr both =
        clause
            .predicate()
            .<Expr>map(own -> new Expr.Binary(BinaryOp.LOGICAL_AND, condition, own, own.span()))
            .orElse(condition);
    return new Clause(point, clause.pointSpan(), Optional.of(both), clause.body(), clause.span());
  }
}
