package dev.ply.builtin.aggregate;

import com.google.common.collect.ImmutableList;
import dev.ply.builtin.AggregateFunction;
import dev.ply.builtin.AggregateShape;
import dev.ply.builtin.Documentation;
import dev.ply.builtin.Parameter;
import dev.ply.builtin.Signature;
import dev.ply.table.Datum;
import dev.ply.table.Statistics;
import dev.ply.table.TableSchema;
import dev.ply.type.Type.IntType;
import java.util.List;
import java.util.Optional;

/** All aggregations, in the order of the language reference. */
public final class AggregateFunctions {
  private static final Signature OF_NUMBER = Signature.of(Parameter.NUMBER);

  /** The number of updates. */
  public static final AggregateFunction COUNT =
      new AggregateFunction(Signature.NONE, "count") {
        @Override
        public Optional<TableSchema.Unit> unit(Optional<TableSchema.Unit> values) {
          return Optional.of(TableSchema.Unit.CALLS);
        }

        @Override
        public boolean isNumber() {
          return true;
        }

        @Override
        public String plural(AggregateShape shape) {
          return "counts";
        }

        @Override
        public Optional<Datum> result(long[] words, AggregateShape shape, boolean isUpdated) {
          return words[0] == 0
              ? Optional.empty()
              : Optional.of(new Datum.Int(words[0], IntType.U64));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "u64",
              """
              The number of updates.
              """,
              """
              tracepoint:raw_syscalls:sys_enter { @ = count(); }
              """,
              "@name[key, …] = count();");
        }
      };

  /** The sum of a value, with the signedness of its terms. */
  public static final AggregateFunction SUM =
      new AggregateFunction(OF_NUMBER, "sum") {
        @Override
        public boolean isNumber() {
          return true;
        }

        @Override
        public String plural(AggregateShape shape) {
          return shape.valueType().isSigned() ? "signed sums" : "sums";
        }

        @Override
        public Optional<Datum> result(long[] words, AggregateShape shape, boolean isUpdated) {
          return words[0] == 0 && !isUpdated
              ? Optional.empty()
              : Optional.of(new Datum.Int(words[0], total(shape)));
        }

        @Override
        public Optional<Datum> zero(AggregateShape shape) {
          return Optional.of(new Datum.Int(0, total(shape)));
        }

        private static IntType total(AggregateShape shape) {
          return shape.valueType().printedAs(shape.valueType().format().ofSum());
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "u64 or s64",
              """
              The sum of the values.
              """,
              """
              tracepoint:syscalls:sys_exit_read / data->ret > 0 / { @[comm] = sum(data->ret); }
              """,
              "@name[key, …] = sum(value);");
        }
      };

  /** The average of a value, truncated to an integer; the accumulator is the sum and the count. */
  public static final AggregateFunction AVG =
      new AggregateFunction(OF_NUMBER, "avg") {
        @Override
        public boolean isNumber() {
          return true;
        }

        @Override
        public int words(AggregateShape shape) {
          return 2;
        }

        @Override
        public String plural(AggregateShape shape) {
          return shape.valueType().isSigned() ? "signed averages" : "averages";
        }

        @Override
        public Optional<Datum> result(long[] words, AggregateShape shape, boolean isUpdated) {
          if (words[1] == 0) {
            return Optional.empty();
          }
          Statistics statistics = new Statistics(words[1], words[0], shape.valueType());
          return Optional.of(average(statistics.average(), shape));
        }

        @Override
        public Optional<Datum> zero(AggregateShape shape) {
          return Optional.of(average(0, shape));
        }

        private static Datum average(long value, AggregateShape shape) {
          return new Datum.Int(
              value, shape.valueType().printedAs(shape.valueType().format().ofAverage()));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "u64 or s64",
              """
              The average of the values, truncated toward zero. Their sum has 64 bits.
              """,
              """
              tracepoint:syscalls:sys_exit_read / data->ret > 0 / { @[comm] = avg(data->ret); }
              """,
              "@name[key, …] = avg(value);");
        }
      };

  /** Count, average and total of a value; the accumulator is the sum and the count. */
  public static final AggregateFunction STATS =
      new AggregateFunction(OF_NUMBER, "stats") {
        @Override
        public int words(AggregateShape shape) {
          return 2;
        }

        @Override
        public String plural(AggregateShape shape) {
          return shape.valueType().isSigned() ? "signed statistics" : "statistics";
        }

        @Override
        public Optional<Datum> result(long[] words, AggregateShape shape, boolean isUpdated) {
          return words[1] == 0
              ? Optional.empty()
              : Optional.of(statistics(words[1], words[0], shape));
        }

        @Override
        public Optional<Datum> zero(AggregateShape shape) {
          return Optional.of(statistics(0, 0, shape));
        }

        private static Datum statistics(long count, long total, AggregateShape shape) {
          return new Datum.Stats(new Statistics(count, total, shape.valueType()));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "count, average and total",
              """
              Count, average and total of the values. The average is truncated toward zero, the
              total has 64 bits.
              """,
              """
              tracepoint:syscalls:sys_exit_read / data->ret > 0 / { @[comm] = stats(data->ret); }
              """,
              "@name[key, …] = stats(value);");
        }
      };

  /** The smallest value. */
  public static final ExtremeFunction MIN =
      new ExtremeFunction(
          "min",
          true,
          "minima",
          new Documentation(
              "u64 or s64",
              """
              The smallest of the values.
              """,
              """
              tracepoint:syscalls:sys_exit_read { @[comm] = min(data->ret); }
              """,
              "@name[key, …] = min(value);"));

  /** The largest value. */
  public static final ExtremeFunction MAX =
      new ExtremeFunction(
          "max",
          false,
          "maxima",
          new Documentation(
              "u64 or s64",
              """
              The largest of the values.
              """,
              """
              tracepoint:syscalls:sys_exit_read { @[comm] = max(data->ret); }
              """,
              "@name[key, …] = max(value);"));

  /** The histogram of a value by powers of two, which can be divided further. */
  public static final AggregateFunction QUANTIZE = new QuantizeFunction();

  /** The histogram of a value over ranges of equal width. */
  public static final AggregateFunction LHIST = new LinearHistogramFunction();

  /** The values of the newest intervals. */
  public static final AggregateFunction TSERIES = new TimeSeriesFunction();

  private static final ImmutableList<AggregateFunction> ALL =
      ImmutableList.of(COUNT, SUM, AVG, STATS, MIN, MAX, QUANTIZE, LHIST, TSERIES);

  private AggregateFunctions() {}

  /** Returns all aggregations. */
  public static List<AggregateFunction> all() {
    return ALL;
  }

  /** Returns the aggregation of this name or alias. */
  public static Optional<AggregateFunction> named(String name) {
    for (AggregateFunction function : ALL) {
      if (function.names().contains(name)) {
        return Optional.of(function);
      }
    }
    return Optional.empty();
  }
}
