package dev.ply;

import dev.ply.builtin.aggregate.AggregateFunctions;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Aggregation;
import dev.ply.ir.Expr;
import dev.ply.ir.Statement;
import dev.ply.table.TimeSeries.Reduction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Creates the actions that aggregate values; meant for static import. */
public final class AggregateActions {
  private static final int MOST_BITS = 5;
  private static final int MOST_INTERVALS = 1000;

  private AggregateActions() {}

  /**
   * Counts. The name of an aggregating variable starts with {@code @}.
   *
   * @param into the aggregating variable, {@code @} before its name
   * @return the action
   */
  public static Action count(Variable into) {
    return aggregate(into, new Aggregation(AggregateFunctions.COUNT, List.of(), CallSite.here()));
  }

  /**
   * Sums a value. The name of an aggregating variable starts with {@code @}.
   *
   * @param into the aggregating variable, {@code @} before its name
   * @param value a number, or a string for variables of strings
   * @return the action
   */
  public static Action sum(Variable into, Value value) {
    return aggregate(
        into, new Aggregation(AggregateFunctions.SUM, List.of(value.expr()), CallSite.here()));
  }

  /**
   * Averages a value. The name of an aggregating variable starts with {@code @}.
   *
   * @param into the aggregating variable, {@code @} before its name
   * @param value a number, or a string for variables of strings
   * @return the action
   */
  public static Action avg(Variable into, Value value) {
    return aggregate(
        into, new Aggregation(AggregateFunctions.AVG, List.of(value.expr()), CallSite.here()));
  }

  /**
   * Collects count, average and total of a value. The name of an aggregating variable starts with
   * {@code @}.
   *
   * @param into the aggregating variable, {@code @} before its name
   * @param value a number, or a string for variables of strings
   * @return the action
   */
  public static Action stats(Variable into, Value value) {
    return aggregate(
        into, new Aggregation(AggregateFunctions.STATS, List.of(value.expr()), CallSite.here()));
  }

  /**
   * Keeps the smallest value. The name of an aggregating variable starts with {@code @}.
   *
   * @param into the aggregating variable, {@code @} before its name
   * @param value a number, or a string for variables of strings
   * @return the action
   */
  public static Action min(Variable into, Value value) {
    return aggregate(
        into, new Aggregation(AggregateFunctions.MIN, List.of(value.expr()), CallSite.here()));
  }

  /**
   * Keeps the largest value. The name of an aggregating variable starts with {@code @}.
   *
   * @param into the aggregating variable, {@code @} before its name
   * @param value a number, or a string for variables of strings
   * @return the action
   */
  public static Action max(Variable into, Value value) {
    return aggregate(
        into, new Aggregation(AggregateFunctions.MAX, List.of(value.expr()), CallSite.here()));
  }

  /**
   * Adds a value to a histogram of powers of two. The name of an aggregating variable starts with
   * {@code @}.
   *
   * @param into the aggregating variable, {@code @} before its name
   * @param value a number, or a string for variables of strings
   * @return the action
   */
  public static Action quantize(Variable into, Value value) {
    return aggregate(
        into, new Aggregation(AggregateFunctions.QUANTIZE, List.of(value.expr()), CallSite.here()));
  }

  /**
   * Adds a value to a histogram of powers of two, each divided into {@code 2^bits} ranges, 1 to 5
   * bits. The name of an aggregating variable starts with {@code @}.
   *
   * @param into the aggregating variable, {@code @} before its name
   * @param value a number, or a string for variables of strings
   * @param bits 1 to 5: ranges are {@code 2^-bits} of their lower limit wide
   * @return the action
   */
  public static Action quantize(Variable into, Value value, int bits) {
    requireBits(bits);
    List<Expr> arguments = List.of(value.expr(), Values.number(bits).expr());
    return aggregate(
        into, new Aggregation(AggregateFunctions.QUANTIZE, arguments, CallSite.here()));
  }

  /**
   * Adds a value to a histogram of ranges of width {@code step} from min to max. The name of an
   * aggregating variable starts with {@code @}.
   *
   * @param into the aggregating variable, {@code @} before its name
   * @param value a number, or a string for variables of strings
   * @param min the lower limit of the first range
   * @param max the upper limit of the last range, exclusive
   * @param step the width of a range, at least 1
   * @return the action
   */
  public static Action lhist(Variable into, Value value, long min, long max, long step) {
    requireRanges(min, max, step);
    List<Expr> arguments =
        List.of(
            value.expr(),
            Values.number(min).expr(),
            Values.number(max).expr(),
            Values.number(step).expr());
    return aggregate(into, new Aggregation(AggregateFunctions.LHIST, arguments, CallSite.here()));
  }

  /**
   * Keeps a value of each of the newest intervals. The name of an aggregating variable starts with
   * {@code @}.
   *
   * @param into the aggregating variable, {@code @} before its name
   * @param value a number, or a string for variables of strings
   * @param interval the length of an interval, at least 1 ns
   * @param intervals 1 to 1000
   * @param reduction what the value of an interval is
   * @return the action
   */
  public static Action tseries(
      Variable into, Value value, Duration interval, int intervals, Reduction reduction) {
    return aggregate(into, series(value, interval, intervals, reduction));
  }

  static void requireBits(int bits) {
    if (bits < 1 || bits > MOST_BITS) {
      throw new IllegalArgumentException(
          "a power of two is divided by 1 to " + MOST_BITS + " bits, not " + bits);
    }
  }

  static void requireRanges(long min, long max, long step) {
    if (min >= max || step < 1) {
      throw new IllegalArgumentException(
          "a histogram begins below its end, and its ranges are 1 or wider, not "
              + min
              + " to "
              + max
              + " by "
              + step);
    }
  }

  static Aggregation series(Value value, Duration interval, int intervals, Reduction reduction) {
    if (interval.isNegative() || interval.isZero()) {
      throw new IllegalArgumentException("an interval is longer than " + interval);
    }
    if (intervals < 1 || intervals > MOST_INTERVALS) {
      throw new IllegalArgumentException(
          "a time series has 1 to " + MOST_INTERVALS + " intervals, not " + intervals);
    }
    List<Expr> arguments = new ArrayList<>();
    arguments.add(value.expr());
    arguments.add(Values.number(interval.toNanos()).expr());
    arguments.add(Values.number(intervals).expr());
    SourceSpan span = CallSite.here();
    if (reduction != Reduction.LAST) {
      arguments.add(new Expr.StringLiteral(reduction.word(), span));
    }
    return new Aggregation(AggregateFunctions.TSERIES, arguments, span);
  }

  private static Action aggregate(Variable into, Aggregation aggregation) {
    return new Action(new Statement.Aggregate(into.map(), aggregation, CallSite.here()));
  }
}
