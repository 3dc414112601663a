package dev.ply.builtin.aggregate;

import dev.ply.builtin.AggregateFunction;
import dev.ply.builtin.AggregateShape;
import dev.ply.builtin.Documentation;
import dev.ply.builtin.Parameter;
import dev.ply.builtin.Signature;
import dev.ply.table.BucketHistogram;
import dev.ply.table.Datum;
import dev.ply.table.Histogram;
import dev.ply.type.Conversions;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A histogram of powers of two, each divided into {@code 2^bits} ranges if {@code bits} is given.
 * Negative values are counted in the last word, which no non-negative value of a signed type
 * reaches.
 */
final class QuantizeFunction extends AggregateFunction {
  private static final int MOST_BITS = 5;

  QuantizeFunction() {
    super(Signature.of(Parameter.NUMBER).optional(Parameter.CONSTANT), "quantize", "hist");
  }

  /** Returns the binary logarithm of the number of ranges per power of two. */
  private static int bits(AggregateShape shape) {
    return shape.constants().isEmpty() ? 0 : (int) shape.constant(0);
  }

  @Override
  public Optional<String> complaint(List<Long> constants) {
    return constants.isEmpty() || (constants.get(0) >= 0 && constants.get(0) <= MOST_BITS)
        ? Optional.empty()
        : Optional.of(
            "a power of two is divided by 0 to "
                + MOST_BITS
                + " bits; this is "
                + constants.get(0));
  }

  @Override
  public List<Long> normalized(List<Long> constants) {
    return constants.equals(List.of(0L)) ? List.of() : constants;
  }

  @Override
  public IntType valueType(IntType argument) {
    return argument;
  }

  @Override
  public IntType unify(IntType known, IntType used) {
    return Conversions.unifyDistributed(known, used);
  }

  @Override
  public Type type(AggregateShape shape) {
    return new Type.ArrayType(IntType.U64, words(shape));
  }

  @Override
  public int words(AggregateShape shape) {
    int bits = bits(shape);
    int width = shape.valueType().bytes() * Byte.SIZE;
    return bits == 0 ? width + 1 : powerOfTwo((width + 1 - bits) << bits);
  }

  @Override
  public String plural(AggregateShape shape) {
    return bits(shape) == 0
        ? "distributions"
        : "distributions by " + bits(shape) + (bits(shape) == 1 ? " bit" : " bits");
  }

  @Override
  public Optional<Datum> result(long[] words, AggregateShape shape, boolean isUpdated) {
    if (bits(shape) > 0) {
      BucketHistogram histogram = divided(words, shape);
      return histogram.count() == 0 ? Optional.empty() : Optional.of(new Datum.Buckets(histogram));
    }
    Histogram histogram = histogram(words, shape);
    return histogram.count() == 0
        ? Optional.empty()
        : Optional.of(new Datum.Distribution(histogram));
  }

  @Override
  public Optional<Datum> zero(AggregateShape shape) {
    long[] words = new long[words(shape)];
    return Optional.of(
        bits(shape) > 0
            ? new Datum.Buckets(divided(words, shape))
            : new Datum.Distribution(histogram(words, shape)));
  }

  private static BucketHistogram divided(long[] words, AggregateShape shape) {
    return BucketHistogram.logLinear(bits(shape), shape.valueType(), words);
  }

  private static Histogram histogram(long[] words, AggregateShape shape) {
    // By the number of significant bits: zeros, ones, two and three …
    long[] counts = Arrays.copyOfRange(words, 1, words.length);
    counts[0] += words[0];
    long negative = 0;
    if (shape.valueType().isSigned()) {
      negative = counts[counts.length - 1];
      counts[counts.length - 1] = 0;
    }
    return new Histogram(shape.valueType(), negative, words[0], counts);
  }

  @Override
  public Documentation documentation() {
    return new Documentation(
        "histogram",
        """
        Counts values between powers of two, printed with a bar for each range; negative ones are
        counted as < 0. Labels have the unit of the value. With a number of bits, 1 to 5, each power
        of two is divided into 2, 4 … 32 ranges of equal width.
        """,
        """
        tracepoint:syscalls:sys_exit_read { @[comm] = quantize(data->ret); }
        """,
        "@name[key, …] = quantize(value);",
        "@name[key, …] = quantize(value, bits);");
  }
}
