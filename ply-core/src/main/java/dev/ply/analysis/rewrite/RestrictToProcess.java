package dev.ply.analysis.rewrite;

import dev.ply.builtin.catalog.ThreadBuiltins;
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
 * Restricts a script to one process: every clause except those that ply itself runs, iterators and
 * intervals, which no process hits.
 */
public final class RestrictToProcess {
  private final long pid;

  /** Creates a restriction to a PID. */
  public RestrictToProcess(long pid) {
    this.pid = pid;
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
    Expr own =
        new Expr.Binary(
            BinaryOp.EQ,
            new Expr.Call(ThreadBuiltins.PID, List.of(), clause.pointSpan()),
            new Expr.IntLiteral(pid, clause.pointSpan()),
            clause.pointSpan());
    Expr both =
        clause
            .predicate()
            .<Expr>map(
                condition ->
                    new Expr.Binary(BinaryOp.LOGICAL_AND, own, condition, condition.span()))
            .orElse(own);
    return new Clause(point, clause.pointSpan(), Optional.of(both), clause.body(), clause.span());
  }
}
