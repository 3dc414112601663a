package dev.ply.ir;

import dev.ply.builtin.AggregateFunction;
import java.util.List;

/**
 * An aggregation function applied to expressions.
 *
 * @param arguments one for each parameter of the function's signature
 */
public record Aggregation(AggregateFunction function, List<Expr> arguments, SourceSpan span) {
  public Aggregation {
    arguments = List.copyOf(arguments);
  }
}
