package dev.ply.bpf.reference;

import dev.ply.analysis.typing.MapContent;
import dev.ply.analysis.typing.MapSymbol;
import dev.ply.builtin.AggregateShape;
import dev.ply.builtin.aggregate.AggregateFunctions;
import dev.ply.table.Bucket;
import dev.ply.table.BucketHistogram;
import dev.ply.table.Datum;
import dev.ply.table.Histogram;
import dev.ply.table.Key;
import dev.ply.table.Row;
import dev.ply.table.Statistics;
import dev.ply.table.Table;
import dev.ply.table.TimeSeries;
import dev.ply.type.IntFormat;
import dev.ply.type.Type.IntType;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/** What a map holds. There is room for everything. */
final class MapState {
  private final MapSymbol symbol;
  private final Map<Key, Datum> entries = new LinkedHashMap<>();

  /** The values that averages are of. */
  private final Map<Key, List<CInteger>> averaged = new HashMap<>();

  /** What time series hold: a value for each interval. */
  private final Map<Key, TreeMap<Long, List<CInteger>>> timed = new HashMap<>();

  MapState(MapSymbol symbol) {
    this.symbol = symbol;
  }

  MapSymbol symbol() {
    return symbol;
  }

  Optional<Datum> get(Key key) {
    return Optional.ofNullable(entries.get(key));
  }

  List<Key> keys() {
    return List.copyOf(entries.keySet());
  }

  void put(Key key, Datum value) {
    entries.put(key, value);
  }

  void remove(Key key) {
    averaged.remove(key);
    timed.remove(key);
    entries.remove(key);
  }

  void clear() {
    averaged.clear();
    timed.clear();
    entries.clear();
  }

  /** Aggregates: a switch over names, so that a new function is missed here by its first test. */
  void aggregate(Key key, List<CInteger> values, long nanos) {
    String function = aggregated().function().canonicalName();
    switch (function) {
      case "count" -> add(key, CInteger.of(1, IntType.U64), IntFormat.DECIMAL);
      case "sum" -> add(key, values.get(0), aggregated().valueType().format().ofSum());
      case "avg" -> {
        Statistics all = summarize(key, values.get(0));
        BigInteger average =
            CInteger.of(all.total(), all.valueType())
                .value()
                .divide(BigInteger.valueOf(all.count()));
        IntType type = all.valueType().printedAs(all.valueType().format().ofAverage());
        put(key, new Datum.Int(average.longValue(), type));
      }
      case "stats" -> put(key, new Datum.Stats(summarize(key, values.get(0))));
      case "min" -> keep(key, values.get(0), BigInteger::min);
      case "max" -> keep(key, values.get(0), BigInteger::max);
      case "quantize" -> {
        if (aggregated().shape().constants().isEmpty()) {
          distribute(key, values.get(0));
        } else {
          BigInteger number = values.get(0).as(aggregated().valueType()).value();
          count(key, number, BucketMeaning.logLinear(aggregated().shape()));
        }
      }
      case "lhist" ->
          count(
              key,
              values.get(0).as(IntType.S64).value(),
              BucketMeaning.linear(aggregated().shape()));
      case "tseries" -> put(key, new Datum.Series(series(key, values.get(0), nanos)));
      default -> throw new IllegalArgumentException("no meaning of " + function);
    }
  }

  private MapContent.Aggregated aggregated() {
    return (MapContent.Aggregated) symbol.content();
  }

  /** Adds to a count or a sum. */
  private void add(Key key, CInteger amount, IntFormat format) {
    IntType type = ((IntType) symbol.content().type()).printedAs(format);
    update(
        key,
        new Datum.Int(0, type),
        old -> {
          BigInteger sum = BigInteger.valueOf(((Datum.Int) old).value()).add(amount.value());
          return new Datum.Int(sum.longValue(), type);
        });
  }

  private Statistics summarize(Key key, CInteger amount) {
    IntType type = aggregated().valueType();
    List<CInteger> all = averaged.computeIfAbsent(key, unused -> new ArrayList<>());
    all.add(amount.as(type));
    BigInteger sum = all.stream().map(CInteger::value).reduce(BigInteger.ZERO, BigInteger::add);
    // The sum is one of 64 bits, signed as its terms are.
    BigInteger wrapped = CInteger.of(sum, Long.SIZE, type.isSigned()).value();
    return new Statistics(all.size(), wrapped.longValue(), type);
  }

  private TimeSeries series(Key key, CInteger value, long nanos) {
    AggregateShape shape = aggregated().shape();
    List<CInteger> all =
        timed
            .computeIfAbsent(key, unused -> new TreeMap<>())
            .computeIfAbsent(nanos / shape.constant(0), unused -> new ArrayList<>());
    all.add(value.as(shape.valueType()));
    List<TimeSeries.Point> points = new ArrayList<>();
    timed
        .get(key)
        .forEach(
            (number, those) ->
                points.add(
                    new TimeSeries.Point(
                        number * shape.constant(0), SeriesMeaning.of(shape, those))));
    return new TimeSeries(
        shape.constant(0),
        (int) shape.constant(1),
        points.get(points.size() - 1).start(),
        shape.valueType(),
        points);
  }

  private void keep(Key key, CInteger value, BinaryOperator<BigInteger> choice) {
    IntType type = aggregated().valueType();
    BigInteger number = value.as(type).value();
    update(
        key,
        new Datum.Int(number.longValue(), type),
        old -> {
          BigInteger before = CInteger.of(((Datum.Int) old).value(), type).value();
          return new Datum.Int(choice.apply(before, number).longValue(), type);
        });
  }

  /** Counts a value between the powers of two where it belongs. */
  private void distribute(Key key, CInteger value) {
    IntType type = aggregated().valueType();
    BigInteger number = value.as(type).value();
    boolean negative = number.signum() < 0;
    int bucket = Math.max(0, number.bitLength() - 1);
    update(
        key,
        new Datum.Distribution(new Histogram(type, 0, 0, new long[Histogram.BUCKETS])),
        old -> {
          Histogram before = ((Datum.Distribution) old).histogram();
          long[] counts = new long[Histogram.BUCKETS];
          for (int i = 0; i < counts.length; i++) {
            counts[i] = before.count(i) + (!negative && i == bucket ? 1 : 0);
          }
          long below = before.negative() + (negative ? 1 : 0);
          long zeros = before.zeros() + (number.signum() == 0 ? 1 : 0);
          return new Datum.Distribution(new Histogram(type, below, zeros, counts));
        });
  }

  /** Counts a value in the bucket that contains it. */
  private void count(Key key, BigInteger value, BucketHistogram empty) {
    update(
        key,
        new Datum.Buckets(empty),
        old -> {
          List<Bucket> buckets = new ArrayList<>();
          for (Bucket bucket : ((Datum.Buckets) old).histogram().buckets()) {
            long more = BucketMeaning.contains(bucket, value, empty.isSigned()) ? 1 : 0;
            buckets.add(new Bucket(bucket.low(), bucket.high(), bucket.count() + more));
          }
          return new Datum.Buckets(new BucketHistogram(buckets, empty.isSigned(), empty.format()));
        });
  }

  private void update(Key key, Datum first, UnaryOperator<Datum> change) {
    put(key, change.apply(get(key).orElse(first)));
  }

  /**
   * A sum without a key is there from the start: as long as it is zero, there is nothing to see.
   */
  Table<Datum> table() {
    boolean isSum =
        symbol.content() instanceof MapContent.Aggregated aggregated
            && aggregated.function() == AggregateFunctions.SUM
            && symbol.keys().isEmpty();
    long latest =
        entries.values().stream()
            .filter(Datum.Series.class::isInstance)
            .mapToLong(value -> ((Datum.Series) value).series().latest())
            .max()
            .orElse(0);
    return Table.of(
        entries.entrySet().stream()
            .filter(entry -> !(isSum && ((Datum.Int) entry.getValue()).value() == 0))
            .map(entry -> new Row<>(entry.getKey(), until(entry.getValue(), latest)))
            .toList());
  }

  /** All series end with the newest interval of the map. */
  private static Datum until(Datum value, long latest) {
    return value instanceof Datum.Series series
        ? new Datum.Series(series.series().until(latest))
        : value;
  }
}
