package dev.ply.analysis;

import dev.ply.builtin.AggregateFunction;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;

/** The content of a map's entries. */
public sealed interface MapContent {
  /** Returns the type of the value when read or printed. */
  Type type();

  /** The value last stored. */
  record Plain(Type type) implements MapContent {}

  /**
   * An aggregation.
   *
   * @param valueType the type of the aggregated values
   */
  record Aggregated(AggregateFunction function, IntType valueType) implements MapContent {
    @Override
    public Type type() {
      return function.type(valueType);
    }
  }
}
