package dev.ply.ir;

import dev.ply.diagnostic.SourceSpan;
import java.util.List;

/**
 * An aggregation function applied to expressions.
 *
 * @param function the aggregation function, such as {@code quantize}
 * @param arguments one for each parameter of the function's signature
 */
public record Aggregation(Function function, List<Expr> arguments, SourceSpan span) {
  /** Copies the arguments. */
  public Aggregation {
    arguments = List.copyOf(arguments);
  }
}
