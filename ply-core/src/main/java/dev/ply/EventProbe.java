package dev.ply;

import dev.ply.builtin.aggregate.EmitFunction;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.Statement;
import dev.ply.probe.AttachPoint;
import java.util.List;
import java.util.Optional;

/**
 * A probe that sends a record on each hit. Created by {@link ProbeBuilder#emit}; its events arrive
 * at listeners ({@link PreparedTrace#listen}), streams ({@link Session#stream}) and subscribers
 * ({@link Session#publisher}).
 *
 * @param <E> the record
 */
public final class EventProbe<E extends Record> implements Probe {
  private final AttachPoint point;
  private final Optional<Expr> predicate;
  private final EmitFunction<E> function;
  private final List<Expr> values;
  private final SourceSpan span;

  EventProbe(
      AttachPoint point,
      Optional<Expr> predicate,
      EmitFunction<E> function,
      List<Expr> values,
      SourceSpan span) {
    this.point = point;
    this.predicate = predicate;
    this.function = function;
    this.values = List.copyOf(values);
    this.span = span;
  }

  /** {@return the record} */
  public Class<E> type() {
    return function.binding().type();
  }

  /** {@return the function that sends this probe's records and no others, for tracers} */
  public EmitFunction<E> function() {
    return function;
  }

  @Override
  public Clause clause(String map) {
    Statement emit = new Statement.Evaluate(new Expr.Call(function, values, span), span);
    return new Clause(point, span, predicate, new Statement.Block(List.of(emit), span), span);
  }
}
