package dev.ply;

import dev.ply.binding.RecordBinding;
import dev.ply.builtin.aggregate.AggregateFunctions;
import dev.ply.builtin.aggregate.EmitFunction;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Aggregation;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.probe.AttachPoint;
import dev.ply.table.BucketHistogram;
import dev.ply.table.Datum;
import dev.ply.table.Histogram;
import dev.ply.table.Statistics;
import dev.ply.table.TimeSeries;
import dev.ply.table.TimeSeries.Reduction;
import dev.ply.type.Numbered;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A probe under construction: attach point, predicate, keys. Immutable: each method returns a new
 * one.
 */
public final class ProbeBuilder {
  private final AttachPoint point;
  private final Optional<Expr> predicate;
  private final List<Expr> keys;

  private ProbeBuilder(AttachPoint point, Optional<Expr> predicate, List<Expr> keys) {
    this.point = point;
    this.predicate = predicate;
    this.keys = keys;
  }

  static ProbeBuilder at(AttachPoint point) {
    return new ProbeBuilder(point, Optional.empty(), List.of());
  }

  /**
   * Adds a predicate: the probe runs only if {@code condition} is not zero, and all earlier
   * predicates hold.
   *
   * @param condition a number or address: the clause runs unless it is zero
   * @return this clause with the predicate
   */
  public ProbeBuilder where(Value condition) {
    SourceSpan here = CallSite.here();
    Expr both =
        predicate
            .<Expr>map(
                first -> new Expr.Binary(BinaryOp.LOGICAL_AND, first, condition.expr(), here))
            .orElse(condition.expr());
    return new ProbeBuilder(point, Optional.of(both), keys);
  }

  /**
   * Adds key components: results are collected for each combination.
   *
   * @param newKeys numbers or strings
   * @return this clause with the keys
   */
  public ProbeBuilder by(Value... newKeys) {
    List<Expr> all = new ArrayList<>(keys);
    all.addAll(Value.exprs(newKeys));
    return new ProbeBuilder(point, predicate, List.copyOf(all));
  }

  /**
   * Counts hits.
   *
   * @return the probe
   */
  public AggregateProbe<Long> count() {
    return aggregate(
        new Aggregation(AggregateFunctions.COUNT, List.of(), CallSite.here()),
        ProbeBuilder::number);
  }

  /**
   * Sums a value.
   *
   * @param value a number; widened to 64 bits
   * @return the probe
   */
  public AggregateProbe<Long> sum(Value value) {
    return aggregate(
        new Aggregation(AggregateFunctions.SUM, List.of(value.expr()), CallSite.here()),
        ProbeBuilder::number);
  }

  /**
   * Averages a value, truncated to an integer.
   *
   * @param value a number; widened to 64 bits
   * @return the probe
   */
  public AggregateProbe<Long> avg(Value value) {
    return aggregate(
        new Aggregation(AggregateFunctions.AVG, List.of(value.expr()), CallSite.here()),
        ProbeBuilder::number);
  }

  /**
   * Collects count, average and total of a value.
   *
   * @param value a number; widened to 64 bits
   * @return the probe
   */
  public AggregateProbe<Statistics> stats(Value value) {
    return aggregate(
        new Aggregation(AggregateFunctions.STATS, List.of(value.expr()), CallSite.here()),
        datum -> ((Datum.Stats) datum).statistics());
  }

  /**
   * Keeps the smallest value.
   *
   * @param value a number; widened to 64 bits
   * @return the probe
   */
  public AggregateProbe<Long> min(Value value) {
    return aggregate(
        new Aggregation(AggregateFunctions.MIN, List.of(value.expr()), CallSite.here()),
        ProbeBuilder::number);
  }

  /**
   * Keeps the largest value.
   *
   * @param value a number; widened to 64 bits
   * @return the probe
   */
  public AggregateProbe<Long> max(Value value) {
    return aggregate(
        new Aggregation(AggregateFunctions.MAX, List.of(value.expr()), CallSite.here()),
        ProbeBuilder::number);
  }

  /**
   * Adds a value to a histogram of powers of two.
   *
   * @param value a number; widened to 64 bits
   * @return the probe
   */
  public AggregateProbe<Histogram> quantize(Value value) {
    return aggregate(
        new Aggregation(AggregateFunctions.QUANTIZE, List.of(value.expr()), CallSite.here()),
        ProbeBuilder::histogram);
  }

  /**
   * Adds a value to a histogram of powers of two, each divided into {@code 2^bits} ranges of equal
   * width.
   *
   * @param value a number; widened to 64 bits
   * @param bits 1 to 5
   * @return the probe
   * @throws IllegalArgumentException if it is out of range
   */
  public AggregateProbe<BucketHistogram> quantize(Value value, int bits) {
    AggregateActions.requireBits(bits);
    List<Expr> arguments = List.of(value.expr(), Values.number(bits).expr());
    return aggregate(
        new Aggregation(AggregateFunctions.QUANTIZE, arguments, CallSite.here()),
        ProbeBuilder::buckets);
  }

  /**
   * Adds a value to a histogram of ranges of width {@code step} from min to max.
   *
   * @param value a number; widened to 64 bits
   * @param min the lower limit of the first range
   * @param max the upper limit of the last range, exclusive
   * @param step the width of a range, at least 1
   * @return the probe
   * @throws IllegalArgumentException if there are no such ranges
   */
  public AggregateProbe<BucketHistogram> lhist(Value value, long min, long max, long step) {
    AggregateActions.requireRanges(min, max, step);
    List<Expr> arguments =
        List.of(
            value.expr(),
            Values.number(min).expr(),
            Values.number(max).expr(),
            Values.number(step).expr());
    return aggregate(
        new Aggregation(AggregateFunctions.LHIST, arguments, CallSite.here()),
        ProbeBuilder::buckets);
  }

  /**
   * Keeps the last value of each of the newest intervals.
   *
   * @param value a number; widened to 64 bits
   * @param interval the length of an interval, at least 1 ns
   * @param intervals 1 to 1000
   * @return the probe
   * @throws IllegalArgumentException if one is out of range
   */
  public AggregateProbe<TimeSeries> tseries(Value value, Duration interval, int intervals) {
    return tseries(value, interval, intervals, Reduction.LAST);
  }

  /**
   * Keeps a value of each of the newest intervals.
   *
   * @param value a number; widened to 64 bits
   * @param interval the length of an interval, at least 1 ns
   * @param intervals 1 to 1000
   * @param reduction what the value of an interval is
   * @return the probe
   */
  public AggregateProbe<TimeSeries> tseries(
      Value value, Duration interval, int intervals, Reduction reduction) {
    return aggregate(
        AggregateActions.series(value, interval, intervals, reduction), ProbeBuilder::series);
  }

  /**
   * Adds the latency of each call to a histogram of powers of two, in nanoseconds; in a kretprobe,
   * uretprobe or fexit.
   *
   * @see Values#latency()
   * @return the probe
   */
  public AggregateProbe<Histogram> latency() {
    return quantize(Values.latency());
  }

  /**
   * Runs actions on each hit, in order.
   *
   * @param actions what to run, in order
   * @return the probe
   */
  public ActionProbe run(Action... actions) {
    if (!keys.isEmpty()) {
      throw new IllegalStateException("only aggregations can be grouped by keys");
    }
    SourceSpan here = CallSite.here();
    return new ActionProbe(point, predicate, Action.block(here, actions), here);
  }

  /**
   * Sends a record on each hit, a value for each of its components in order.
   *
   * <p>The components and what they take, which is checked when the trace is prepared:
   *
   * <ul>
   *   <li>{@code byte}, {@code short}, {@code char}, {@code int}, {@code long}: a number of at most
   *       so many bits, which keeps its bits: {@link Integer#toUnsignedLong} and its like read
   *       unsigned ones; {@code long} also an address
   *   <li>{@code boolean}: whether a number is not zero
   *   <li>{@link String}: a string, decoded from UTF-8 without loss; times, addresses and symbols
   *       as they are printed. One that is longer than what was read ends with {@code ..}. Traced
   *       strings can contain anything: escape them where they are shown
   *   <li>{@link java.time.Instant}: {@link Values#time} or {@link Values#walltime}
   *   <li>{@link java.time.Duration}: a number of nanoseconds
   *   <li>an enum: a number, of {@link Numbered} constants or the ordinal; it needs a constant
   *       {@code UNKNOWN} for all others
   *   <li>{@code byte[]}: memory, such as {@link dev.ply.value.MemoryValues#mem(Value, int)}, as it
   *       is
   *   <li>{@link java.net.InetAddress}: {@link dev.ply.value.NetworkValues#ntop}; the unspecified
   *       address for families other than IPv4 and IPv6
   *   <li>{@link dev.ply.table.Stack}: a stack trace
   *   <li>a record: a value for each of its components
   * </ul>
   *
   * @param <E> the record
   * @param type the record, in a package that is open or exported to {@code dev.ply.core}
   * @param values a value for each, in order
   * @return the probe, whose events arrive at listeners, streams and subscribers
   */
  public <E extends Record> EventProbe<E> emit(Class<E> type, Value... values) {
    if (!keys.isEmpty()) {
      throw new IllegalStateException("only aggregations can be grouped by keys");
    }
    return new EventProbe<>(
        point,
        predicate,
        new EmitFunction<>(RecordBinding.of(type)),
        Value.exprs(values),
        CallSite.here());
  }

  /**
   * Sets a variable.
   *
   * @param variable the variable to change
   * @param value a number; widened to 64 bits
   * @return the probe
   */
  public ActionProbe set(Variable variable, Value value) {
    return run(Actions.set(variable, value));
  }

  /**
   * Removes a variable's entry for its keys.
   *
   * @param variable the variable to change
   * @return the probe
   */
  public ActionProbe unset(Variable variable) {
    return run(Actions.unset(variable));
  }

  /**
   * Prints values in their default formats, separated by commas.
   *
   * @param values a value for each, in order
   * @return the probe
   */
  public ActionProbe print(Value... values) {
    return run(OutputActions.print(values));
  }

  /**
   * Prints values by a format, with C's conversions and {@code %v} for the default format.
   *
   * @param format with C's conversions: {@code "%d %s\\n"}
   * @param values a value for each, in order
   * @return the probe
   */
  public ActionProbe printf(String format, Value... values) {
    return run(OutputActions.printf(format, values));
  }

  /**
   * Removes all entries of a variable: {@link OutputActions#clear(Variable)}.
   *
   * @param variable the variable to change
   * @return the probe
   */
  public ActionProbe clear(Variable variable) {
    return run(OutputActions.clear(variable));
  }

  /**
   * Clears the results of a probe: {@link OutputActions#clear(AggregateProbe)}.
   *
   * @param probe an aggregating probe of the same trace
   * @return the probe
   */
  public ActionProbe clear(AggregateProbe<?> probe) {
    return run(OutputActions.clear(probe));
  }

  /**
   * Stops the trace with a status, 0 to 255.
   *
   * @param status which {@link Session#exitStatus} returns
   * @return the probe
   */
  public ActionProbe exit(int status) {
    return run(ControlActions.exit(status));
  }

  private <V> AggregateProbe<V> aggregate(Aggregation aggregation, Function<Datum, V> result) {
    return new AggregateProbe<>(
        point, predicate, keys, aggregation, result, Optional.empty(), CallSite.here());
  }

  private static Long number(Datum datum) {
    return ((Datum.Int) datum).value();
  }

  private static TimeSeries series(Datum datum) {
    return ((Datum.Series) datum).series();
  }

  private static BucketHistogram buckets(Datum datum) {
    return ((Datum.Buckets) datum).histogram();
  }

  private static Histogram histogram(Datum datum) {
    return ((Datum.Distribution) datum).histogram();
  }
}
