package dev.ply.analysis;

import dev.ply.builtin.AggregateFunction;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;

/** What a map holds under a key. */
public sealed interface MapContent {
  /** Returns the type of the value as it is read and printed. */
  Type type();

  /** Whatever was stored last. */
  record Plain(Type type) implements MapContent {}

  /**
   * An aggregation.
   *
   * @param valueType the type in which values are aggregated
   */
  record Aggregated(AggregateFunction function, IntType valueType) implements MapContent {
    @Override
    public Type type() {
      return function.type(valueType);
    }
  }
}
