package dev.ply.analysis;

import dev.ply.type.Signedness;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;

/** What a map holds under a key. */
public sealed interface MapContent {
  /** Returns the type of the value as it is read and printed. */
  Type type();

  /** Whatever was stored last. */
  record Plain(Type type) implements MapContent {}

  /** A number of updates. */
  record Count() implements MapContent {
    @Override
    public IntType type() {
      return IntType.U64;
    }
  }

  /** A sum, signed as its terms are. */
  record Sum(Signedness signedness) implements MapContent {
    @Override
    public IntType type() {
      return IntType.of(8, signedness);
    }
  }

  /**
   * A distribution over powers of two: one 64-bit counter for each bit of the values' type.
   * Negative values are counted in the last counter, which no value of a signed type can reach
   * otherwise.
   */
  record Quantize(IntType valueType) implements MapContent {
    @Override
    public Type type() {
      return new Type.ArrayType(IntType.U64, valueType.bytes() * 8);
    }
  }
}
