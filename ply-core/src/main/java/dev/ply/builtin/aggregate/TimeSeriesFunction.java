package dev.ply.builtin.aggregate;

import dev.ply.builtin.AggregateFunction;
import dev.ply.builtin.AggregateShape;
import dev.ply.builtin.Documentation;
import dev.ply.builtin.Merge;
import dev.ply.builtin.Parameter;
import dev.ply.builtin.Signature;
import dev.ply.table.Datum;
import dev.ply.table.Statistics;
import dev.ply.table.TimeSeries;
import dev.ply.table.TimeSeries.Point;
import dev.ply.table.TimeSeries.Reduction;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The values of the newest intervals, {@code tseries(value, interval, intervals, reduction)}. The
 * accumulator has words for each interval modulo their number: the number of the interval, counted
 * from one, so that zero is one without values; the value; and for averages the number of values,
 * for last ones their time.
 */
public final class TimeSeriesFunction extends AggregateFunction {
  /** The index of the word with an interval's number. */
  public static final int NUMBER = 0;

  /** The index of the word with an interval's value. */
  public static final int VALUE = 1;

  /** The index of the word with the number of values, or the time of the last. */
  public static final int WEIGHT = 2;

  /** By their constant; the first is that of a call that says nothing. */
  private static final List<Reduction> REDUCTIONS =
      List.of(Reduction.LAST, Reduction.AVG, Reduction.SUM, Reduction.MIN, Reduction.MAX);

  /** A CPU's part of a map's value has up to 32 KiB. */
  private static final int MOST_INTERVALS = 1000;

  /** All intervals together fit 64 bits. */
  private static final Duration LONGEST = Duration.ofDays(100);

  TimeSeriesFunction() {
    super(
        Signature.of(Parameter.NUMBER, Parameter.CONSTANT, Parameter.CONSTANT)
            .optional(Parameter.LITERAL),
        "tseries");
  }

  /** Returns the length of an interval in ns. */
  public static long interval(AggregateShape shape) {
    return shape.constant(0);
  }

  /** Returns the number of intervals. */
  public static int intervals(AggregateShape shape) {
    return Math.toIntExact(shape.constant(1));
  }

  /** Returns what the value of an interval is. */
  public static Reduction reduction(AggregateShape shape) {
    return REDUCTIONS.get((int) shape.constant(2));
  }

  /** Returns the number of words of an interval. */
  public static int wordsEach(AggregateShape shape) {
    return switch (reduction(shape)) {
      case LAST, AVG -> WEIGHT + 1;
      case SUM, MIN, MAX -> VALUE + 1;
    };
  }

  @Override
  public OptionalLong constant(String word) {
    for (int i = 1; i < REDUCTIONS.size(); i++) {
      if (REDUCTIONS.get(i).word().equals(word)) {
        return OptionalLong.of(i);
      }
    }
    return OptionalLong.empty();
  }

  @Override
  public String words() {
    return "\"avg\", \"sum\", \"min\" or \"max\"";
  }

  @Override
  public Optional<String> complaint(List<Long> constants) {
    if (constants.get(0) <= 0 || constants.get(0) > LONGEST.toNanos()) {
      return Optional.of(
          "an interval of \"tseries\" has 1 ns to "
              + LONGEST.toDays()
              + " days; this one "
              + constants.get(0)
              + " ns");
    }
    long intervals = constants.get(1);
    return intervals >= 1 && intervals <= MOST_INTERVALS
        ? Optional.empty()
        : Optional.of(
            "\"tseries\" has 1 to " + MOST_INTERVALS + " intervals; these are " + intervals);
  }

  @Override
  public List<Long> normalized(List<Long> constants) {
    return constants.size() > 2 ? constants : List.of(constants.get(0), constants.get(1), 0L);
  }

  @Override
  public Type type(AggregateShape shape) {
    return new Type.ArrayType(IntType.U64, words(shape));
  }

  @Override
  public int words(AggregateShape shape) {
    return intervals(shape) * wordsEach(shape);
  }

  @Override
  public Merge merge(AggregateShape shape) {
    return new IntervalMerge(shape);
  }

  @Override
  public String plural(AggregateShape shape) {
    return "series of the "
        + reduction(shape).word()
        + " of "
        + intervals(shape)
        + " intervals of "
        + interval(shape)
        + " ns";
  }

  @Override
  public Optional<Datum> result(long[] words, AggregateShape shape, boolean isUpdated) {
    List<Point> points = new ArrayList<>();
    for (int word = 0; word < words(shape); word += wordsEach(shape)) {
      if (words[word + NUMBER] != 0) {
        points.add(
            new Point((words[word + NUMBER] - 1) * interval(shape), value(words, word, shape)));
      }
    }
    points.sort(Comparator.comparingLong(Point::start));
    return points.isEmpty() ? Optional.empty() : Optional.of(series(points, shape));
  }

  private static long value(long[] words, int word, AggregateShape shape) {
    long value = words[word + VALUE];
    return switch (reduction(shape)) {
      case LAST, SUM -> value;
      case AVG -> new Statistics(words[word + WEIGHT], value, shape.valueType()).average();
      case MIN -> value ^ AggregateFunctions.MIN.invertedBits(shape.valueType());
      case MAX -> value ^ AggregateFunctions.MAX.invertedBits(shape.valueType());
    };
  }

  @Override
  public Optional<Datum> zero(AggregateShape shape) {
    return Optional.of(series(List.of(), shape));
  }

  private static Datum series(List<Point> points, AggregateShape shape) {
    long latest = points.isEmpty() ? 0 : points.get(points.size() - 1).start();
    return new Datum.Series(
        new TimeSeries(interval(shape), intervals(shape), latest, shape.valueType(), points));
  }

  @Override
  public Documentation documentation() {
    return new Documentation(
        "time series",
        """
        The values of the newest intervals, a row each: the last one of each interval, or their
        "avg", "sum", "min" or "max". The interval is a constant in ns, such as 100ms; up to 1000
        are kept. Intervals begin at multiples of their length since boot.
        """,
        """
        tracepoint:syscalls:sys_exit_read / data->ret > 0 / { @ = tseries(data->ret, 100ms, 20, "sum"); }
        """,
        "@name[key, …] = tseries(value, interval, intervals);",
        "@name[key, …] = tseries(value, interval, intervals, \"avg\");");
  }
}
