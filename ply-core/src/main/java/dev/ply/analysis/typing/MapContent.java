package dev.ply.analysis.typing;

import dev.ply.builtin.AggregateFunction;
import dev.ply.builtin.AggregateShape;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;

/** The content of a map's entries. */
public sealed interface MapContent {
  /** Returns the type of the value when read or printed. */
  Type type();

  /** Returns whether an entry has a value inside programs: all but histograms and statistics. */
  static boolean isNumberOrPlain(MapContent content) {
    return !(content instanceof Aggregated aggregated) || aggregated.function().isNumber();
  }

  /** The value last stored. */
  record Plain(Type type) implements MapContent {}

  /**
   * An aggregation.
   *
   * @param shape the form of its accumulators
   */
  record Aggregated(AggregateFunction function, AggregateShape shape) implements MapContent {
    /** An aggregation without constants. */
    public Aggregated(AggregateFunction function, IntType valueType) {
      this(function, new AggregateShape(valueType));
    }

    /** Returns the type of the aggregated values. */
    public IntType valueType() {
      return shape.valueType();
    }

    @Override
    public Type type() {
      return function.type(shape);
    }
  }
}
