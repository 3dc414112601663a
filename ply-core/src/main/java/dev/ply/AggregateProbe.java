package dev.ply;

import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Aggregation;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import dev.ply.probe.AttachPoint;
import dev.ply.table.Datum;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A probe that aggregates in the kernel, with one result for each combination of its keys.
 *
 * @param <V> the type of a result: a {@code Long} or a {@link dev.ply.table.Histogram}
 */
public final class AggregateProbe<V> implements Probe {
  private final AttachPoint point;
  private final Optional<Expr> predicate;
  private final List<Expr> keys;
  private final Aggregation aggregation;
  private final Function<Datum, V> result;
  private final Optional<String> name;
  private final SourceSpan span;

  AggregateProbe(
      AttachPoint point,
      Optional<Expr> predicate,
      List<Expr> keys,
      Aggregation aggregation,
      Function<Datum, V> result,
      Optional<String> name,
      SourceSpan span) {
    this.point = point;
    this.predicate = predicate;
    this.keys = keys;
    this.aggregation = aggregation;
    this.result = result;
    this.name = name;
    this.span = span;
  }

  /**
   * {@return this probe with a name for its map, of letters, digits and underscores, printed as
   * {@code @name}}
   *
   * @param newName of letters, digits and underscores
   */
  public AggregateProbe<V> named(String newName) {
    if (!newName.matches("[A-Za-z0-9_]+")) {
      throw new IllegalArgumentException(
          "\"" + newName + "\" is not a name: use letters, digits and underscores");
    }
    return new AggregateProbe<>(
        point, predicate, keys, aggregation, result, Optional.of(newName), span);
  }

  @Override
  public Optional<String> name() {
    return name;
  }

  /**
   * Converts a result from the kernel to this probe's type of result.
   *
   * @param datum as tables of scripts have it
   * @return a number, histogram or statistics
   */
  public V result(Datum datum) {
    return result.apply(datum);
  }

  @Override
  public Clause clause(String map) {
    Statement update = new Statement.Aggregate(new MapRef(map, keys, span), aggregation, span);
    return new Clause(point, span, predicate, new Statement.Block(List.of(update), span), span);
  }
}
