package dev.ply.builtin;

import dev.ply.ir.Aggregation;
import dev.ply.ir.Function;
import dev.ply.table.Datum;
import dev.ply.table.TableSchema;
import dev.ply.type.IntFormat;
import dev.ply.type.Signedness;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Declaration of an aggregation: its names, types and result. Programs keep an accumulator of
 * 64-bit words under each key; ply-bpf generates the updates and merges the accumulators of all
 * CPUs. Immutable; compared by identity.
 */
public abstract class AggregateFunction implements Function {
  private final List<String> names;
  private final Signature signature;

  /**
   * Declares an aggregation.
   *
   * @param names the canonical name, then aliases
   */
  public AggregateFunction(Signature signature, String... names) {
    this.names = List.of(names);
    this.signature = signature;
  }

  /** Returns the function that an aggregation applies. */
  public static AggregateFunction of(Aggregation aggregation) {
    return (AggregateFunction) aggregation.function();
  }

  /** Returns all names, the canonical one first. */
  @Override
  public final List<String> names() {
    return names;
  }

  /** Returns the parameters: none, or a number followed by constants. */
  public final Signature signature() {
    return signature;
  }

  /**
   * Returns the type of aggregated values: 64 bits, with the argument's signedness; times stay
   * such.
   */
  public IntType valueType(IntType argument) {
    return new IntType(Long.BYTES, argument.signedness(), argument.format().ofExtreme());
  }

  /** Returns the type for the values of two uses of a map. */
  public IntType unify(IntType known, IntType used) {
    IntType unified = used.signedness() == Signedness.SIGNED ? used : known;
    return known.format() == used.format() ? unified : unified.printedAs(IntFormat.DECIMAL);
  }

  /** Returns the constant that a word stands for, if it takes words and knows this one. */
  public OptionalLong constant(String word) {
    return OptionalLong.empty();
  }

  /** Returns the words that it takes, for messages. */
  public String words() {
    return "";
  }

  /** Returns the error in the constant arguments, as a message; empty if they are valid. */
  public Optional<String> complaint(List<Long> constants) {
    return Optional.empty();
  }

  /** Returns the constant arguments without those that are defaults. */
  public List<Long> normalized(List<Long> constants) {
    return constants;
  }

  /** Returns whether the result is one number, which programs can read. */
  public boolean isNumber() {
    return false;
  }

  /** Returns the type of the result. */
  public Type type(AggregateShape shape) {
    return shape.valueType();
  }

  /**
   * Returns the number of 64-bit words of an accumulator; a power of two if programs index them.
   */
  public int words(AggregateShape shape) {
    return 1;
  }

  /** Returns the smallest power of two that is at least {@code count}. */
  protected static int powerOfTwo(int count) {
    return Integer.highestOneBit(2 * count - 1);
  }

  /** Returns how the accumulators of all CPUs are merged. */
  public Merge merge(AggregateShape shape) {
    return Merge.SUM;
  }

  /** Returns the unit of the results, of distributions that of what is distributed. */
  public Optional<TableSchema.Unit> unit(Optional<TableSchema.Unit> values) {
    return values;
  }

  /** Returns the content of such a map, for messages: {@code counts}. */
  public abstract String plural(AggregateShape shape);

  /**
   * Returns the result of an accumulator, empty without updates.
   *
   * @param words merged over all CPUs
   * @param isUpdated whether there were updates, for accumulators whose words can be zero after one
   */
  public abstract Optional<Datum> result(long[] words, AggregateShape shape, boolean isUpdated);

  /**
   * Returns the result of a key that was zeroed and not updated since: 0, or a histogram or
   * statistics without values; empty for series.
   */
  public Optional<Datum> zero(AggregateShape shape) {
    return isNumber() ? Optional.of(new Datum.Int(0, shape.valueType())) : Optional.empty();
  }

  /** Returns the entry of the language reference. Loaded only when shown. */
  public abstract Documentation documentation();

  @Override
  public final String toString() {
    return canonicalName();
  }
}
