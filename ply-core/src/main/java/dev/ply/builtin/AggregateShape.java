package dev.ply.builtin;

import dev.ply.type.Type.IntType;
import java.util.List;

/**
 * The form of an aggregation's accumulators.
 *
 * @param valueType the type of the aggregated values
 * @param constants the constant arguments after the value: limits of buckets
 */
public record AggregateShape(IntType valueType, List<Long> constants) {
  public AggregateShape {
    constants = List.copyOf(constants);
  }

  /** The shape of an aggregation without constants. */
  public AggregateShape(IntType valueType) {
    this(valueType, List.of());
  }

  /** Returns the constant argument at a position, 0 for the first. */
  public long constant(int index) {
    return constants.get(index);
  }
}
