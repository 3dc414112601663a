package dev.ply;

import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.Statement;
import dev.ply.probe.AttachPoint;
import java.util.Optional;

/** A probe with statements: it sets variables, counts, prints, or stops the trace. */
public final class ActionProbe implements Probe {
  private final AttachPoint point;
  private final Optional<Expr> predicate;
  private final Statement.Block body;
  private final SourceSpan span;

  ActionProbe(AttachPoint point, Optional<Expr> predicate, Statement.Block body, SourceSpan span) {
    this.point = point;
    this.predicate = predicate;
    this.body = body;
    this.span = span;
  }

  @Override
  public Clause clause(String map) {
    return new Clause(point, span, predicate, body, span);
  }
}
