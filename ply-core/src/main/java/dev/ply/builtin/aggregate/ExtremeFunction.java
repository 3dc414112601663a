package dev.ply.builtin.aggregate;

import dev.ply.builtin.AggregateFunction;
import dev.ply.builtin.AggregateShape;
import dev.ply.builtin.Documentation;
import dev.ply.builtin.Merge;
import dev.ply.builtin.Parameter;
import dev.ply.builtin.Signature;
import dev.ply.table.Datum;
import dev.ply.type.Type.IntType;
import java.util.Optional;

/**
 * An aggregation that keeps the smallest or the largest value. Its accumulator is one word: the
 * value, with bits inverted so that the word to keep is the unsigned maximum, and zero is neutral.
 */
public final class ExtremeFunction extends AggregateFunction {
  private final boolean isSmallest;
  private final String plural;
  private final Documentation documentation;

  ExtremeFunction(String name, boolean isSmallest, String plural, Documentation documentation) {
    super(Signature.of(Parameter.NUMBER), name);
    this.isSmallest = isSmallest;
    this.plural = plural;
    this.documentation = documentation;
  }

  /** Returns the bits in which a word differs from its value. */
  public long invertedBits(IntType valueType) {
    long order = valueType.isSigned() ? Long.MIN_VALUE : 0;
    return isSmallest ? ~order : order;
  }

  @Override
  public boolean isNumber() {
    return true;
  }

  @Override
  public Merge merge(AggregateShape shape) {
    return Merge.MAXIMUM;
  }

  @Override
  public String plural(AggregateShape shape) {
    return shape.valueType().isSigned() ? "signed " + plural : plural;
  }

  @Override
  public Optional<Datum> result(long[] words, AggregateShape shape, boolean isUpdated) {
    IntType type = shape.valueType();
    return Optional.of(new Datum.Int(words[0] ^ invertedBits(type), type));
  }

  @Override
  public Documentation documentation() {
    return documentation;
  }
}
