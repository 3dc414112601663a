package dev.ply.builtin.aggregate;

import dev.ply.builtin.AggregateFunction;
import dev.ply.builtin.AggregateShape;
import dev.ply.builtin.Documentation;
import dev.ply.builtin.Parameter;
import dev.ply.builtin.Signature;
import dev.ply.table.BucketHistogram;
import dev.ply.table.Datum;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import java.util.List;
import java.util.Optional;

/**
 * A histogram of ranges of equal width between two limits, {@code lhist(value, min, max, step)}:
 * one counter for values below, one for each range, one for values from the upper limit on. Values
 * are compared as signed 64-bit numbers.
 */
final class LinearHistogramFunction extends AggregateFunction {
  /** As in bpftrace. */
  private static final int MOST_BUCKETS = 1000;

  LinearHistogramFunction() {
    super(
        Signature.of(Parameter.NUMBER, Parameter.CONSTANT, Parameter.CONSTANT, Parameter.CONSTANT),
        "lhist");
  }

  @Override
  public Optional<String> complaint(List<Long> constants) {
    long min = constants.get(0);
    long max = constants.get(1);
    long step = constants.get(2);
    if (step <= 0) {
      return Optional.of("the step of \"lhist\" is at least 1; this is " + step);
    }
    if (min >= max) {
      return Optional.of("\"lhist\" from " + min + " to " + max + " has no buckets");
    }
    if (max - min < 0) {
      return Optional.of(
          "\"lhist\" from " + min + " to " + max + " is wider than the numbers of 63 bits");
    }
    if ((max - min - 1) / step >= MOST_BUCKETS) {
      return Optional.of(
          "\"lhist\" from "
              + min
              + " to "
              + max
              + " in steps of "
              + step
              + " has more than "
              + MOST_BUCKETS
              + " buckets");
    }
    return Optional.empty();
  }

  @Override
  public IntType valueType(IntType argument) {
    return IntType.S64.printedAs(argument.format().ofExtreme());
  }

  @Override
  public Type type(AggregateShape shape) {
    return new Type.ArrayType(IntType.U64, words(shape));
  }

  @Override
  public int words(AggregateShape shape) {
    int ranges =
        BucketHistogram.linearBuckets(shape.constant(0), shape.constant(1), shape.constant(2));
    return powerOfTwo(ranges + 2);
  }

  @Override
  public String plural(AggregateShape shape) {
    return "linear histograms from "
        + shape.constant(0)
        + " to "
        + shape.constant(1)
        + " in steps of "
        + shape.constant(2);
  }

  @Override
  public Optional<Datum> result(long[] words, AggregateShape shape, boolean isUpdated) {
    BucketHistogram histogram = histogram(words, shape);
    return histogram.count() == 0 ? Optional.empty() : Optional.of(new Datum.Buckets(histogram));
  }

  @Override
  public Optional<Datum> zero(AggregateShape shape) {
    return Optional.of(new Datum.Buckets(histogram(new long[words(shape)], shape)));
  }

  private static BucketHistogram histogram(long[] words, AggregateShape shape) {
    return BucketHistogram.linear(shape.constant(0), shape.constant(1), shape.constant(2), words)
        .printedAs(shape.valueType().format());
  }

  @Override
  public Documentation documentation() {
    return new Documentation(
        "histogram",
        """
        Counts values in ranges of equal width from min to max, below and above. The limits are
        constants, with at most 1000 ranges. Values are compared as signed 64-bit numbers.
        """,
        """
        tracepoint:syscalls:sys_exit_read { @[comm] = lhist(data->ret, 0, 4096, 256); }
        """,
        "@name[key, …] = lhist(value, min, max, step);");
  }
}
