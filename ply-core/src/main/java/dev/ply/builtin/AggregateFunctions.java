package dev.ply.builtin;

import com.google.common.collect.ImmutableList;
import dev.ply.result.Datum;
import dev.ply.result.Histogram;
import dev.ply.result.Statistics;
import dev.ply.type.Conversions;
import dev.ply.type.Type;
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
        public String plural(IntType valueType) {
          return "counts";
        }

        @Override
        public Optional<Datum> result(long[] words, IntType valueType, boolean isUpdated) {
          return words[0] == 0
              ? Optional.empty()
              : Optional.of(new Datum.Int(words[0], IntType.U64));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "u64",
              """
              How often it was done.
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
        public String plural(IntType valueType) {
          return valueType.isSigned() ? "signed sums" : "sums";
        }

        @Override
        public Optional<Datum> result(long[] words, IntType valueType, boolean isUpdated) {
          return words[0] == 0 && !isUpdated
              ? Optional.empty()
              : Optional.of(new Datum.Int(words[0], valueType));
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
        public String plural(IntType valueType) {
          return valueType.isSigned() ? "signed averages" : "averages";
        }

        @Override
        public Optional<Datum> result(long[] words, IntType valueType, boolean isUpdated) {
          if (words[1] == 0) {
            return Optional.empty();
          }
          long average = new Statistics(words[1], words[0], valueType).average();
          return Optional.of(new Datum.Int(average, valueType));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "u64 or s64",
              """
              The average of the values, cut to an integer toward zero. Their sum is one of 64 bits.
              """,
              """
              tracepoint:syscalls:sys_exit_read / data->ret > 0 / { @[comm] = avg(data->ret); }
              """,
              "@name[key, …] = avg(value);");
        }
      };

  /** Count, average and total of a value; its accumulator is the sum and the number of values. */
  public static final AggregateFunction STATS =
      new AggregateFunction(OF_NUMBER, "stats") {
        @Override
        public String plural(IntType valueType) {
          return valueType.isSigned() ? "signed statistics" : "statistics";
        }

        @Override
        public Optional<Datum> result(long[] words, IntType valueType, boolean isUpdated) {
          return words[1] == 0
              ? Optional.empty()
              : Optional.of(new Datum.Stats(new Statistics(words[1], words[0], valueType)));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "count, average and total",
              """
              Count, average and total of the values. The average is truncated toward zero, the
              total is one of 64 bits.
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

  /**
   * The histogram of a value over powers of two: one 64-bit counter for each bit of the value's
   * type. Negative values are counted in the last counter, which no non-negative value of a signed
   * type reaches.
   */
  public static final AggregateFunction QUANTIZE =
      new AggregateFunction(OF_NUMBER, "quantize", "hist") {
        @Override
        public IntType valueType(IntType argument) {
          return argument;
        }

        @Override
        public IntType unify(IntType known, IntType used) {
          return Conversions.unifyDistributed(known, used);
        }

        @Override
        public Type type(IntType valueType) {
          return new Type.ArrayType(IntType.U64, valueType.bytes() * 8);
        }

        @Override
        public String plural(IntType valueType) {
          return "distributions";
        }

        @Override
        public Optional<Datum> result(long[] words, IntType valueType, boolean isUpdated) {
          long[] counts = words.clone();
          long negative = 0;
          if (valueType.isSigned()) {
            negative = counts[counts.length - 1];
            counts[counts.length - 1] = 0;
          }
          Histogram histogram = new Histogram(valueType, negative, counts);
          return histogram.total() == 0
              ? Optional.empty()
              : Optional.of(new Datum.Distribution(histogram));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "histogram",
              """
              How many values there were between powers of two, printed with a bar for each range;
              negative ones are counted as < 0. Labels take the unit of the value.
              """,
              """
              tracepoint:syscalls:sys_exit_read { @[comm] = quantize(data->ret); }
              """,
              "@name[key, …] = quantize(value);");
        }
      };

  private static final ImmutableList<AggregateFunction> ALL =
      ImmutableList.of(COUNT, SUM, AVG, STATS, MIN, MAX, QUANTIZE);

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
