package dev.ply.ir;

import dev.ply.builtin.AggregateFunction;
import java.util.List;

/**
 * What an aggregating map makes of the values it is given.
 *
 * @param arguments as many as the function's signature has parameters
 */
public record Aggregation(AggregateFunction function, List<Expr> arguments, SourceSpan span) {
  public Aggregation {
    arguments = List.copyOf(arguments);
  }
}
