package dev.ply.metrics;

import dev.ply.metrics.model.LabelText;
import dev.ply.metrics.model.MetricFamily;
import dev.ply.metrics.model.MetricNames;
import dev.ply.metrics.model.MetricPoint;
import dev.ply.metrics.model.MetricType;
import dev.ply.metrics.model.MetricValue;
import dev.ply.table.Datum;
import dev.ply.table.Key;
import dev.ply.table.NamedTable;
import dev.ply.table.Row;
import dev.ply.table.TableSchema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The series of a map: what was added to it so far, whatever has become of the map. */
final class MapSeries {
  private static final Set<String> THREADS = Set.of("pid", "tid");

  private final TableSchema schema;
  private final MetricType type;
  private final MetricOptions options;
  private final String name;
  private final Optional<String> unit;
  private final boolean isTime;
  private final List<String> labels;
  private final List<Integer> shown = new ArrayList<>();
  private final Map<List<String>, Series> series = new LinkedHashMap<>();
  private Optional<Series> overflow = Optional.empty();
  private long overflowed;

  private static final class Series {
    private final Instant start;
    private MetricValue value;
    private Instant changed;

    Series(Instant start, MetricValue value, Instant changed) {
      this.start = start;
      this.value = value;
      this.changed = changed;
    }
  }

  /**
   * Creates the series of a map, none yet.
   *
   * @param taken names of other metrics
   */
  MapSeries(TableSchema schema, MetricType type, MetricOptions options, Set<String> taken) {
    this.schema = schema;
    this.type = type;
    this.options = options;
    this.isTime = type != MetricType.INFO && schema.unit() == TableSchema.Unit.NANOSECONDS;
    this.unit = type == MetricType.INFO ? Optional.empty() : MetricNames.unit(schema.unit());
    this.name = name(MetricNames.base(options.script(), schema.map()), unit, taken);
    this.labels = MetricNames.labels(schema.keys());
    for (int i = 0; i < labels.size(); i++) {
      if (options.threadLabels() || !isThread(schema.keys().get(i))) {
        shown.add(i);
      }
    }
  }

  private static String name(String base, Optional<String> unit, Set<String> taken) {
    String name = MetricNames.withUnit(base, unit);
    for (int i = 2; taken.contains(name); i++) {
      name = MetricNames.withUnit(base + "_" + i, unit);
    }
    return name;
  }

  /** Returns whether a map has values that only threads lead to, such as the begins of calls. */
  static boolean isScratch(TableSchema schema) {
    return schema.aggregation().isEmpty()
        && !schema.keys().isEmpty()
        && schema.keys().stream().allMatch(MapSeries::isThread);
  }

  private static boolean isThread(TableSchema.Column column) {
    return THREADS.contains(column.name());
  }

  /** Returns whether a map of this kind continues these series. */
  boolean continuesAs(TableSchema other, MetricType otherType) {
    return type == otherType
        && schema.keys().equals(other.keys())
        && schema.value().equals(other.value())
        && schema.unit() == other.unit()
        && schema.aggregation().equals(other.aggregation());
  }

  /**
   * Adds what was added to the map.
   *
   * @param sums the exact sums of distributions, by key
   * @param since the time of the last call
   */
  void add(NamedTable map, Map<Key, Long> sums, Instant since, Instant now) {
    LabelText texts = new LabelText(map.table().target());
    for (Row<Datum> row : map.table()) {
      Optional<MetricValue> value = MetricValue.of(row.value(), isTime, texts);
      value
          .map(one -> withSum(one, sums.get(row.key())))
          .ifPresent(one -> put(labelsOf(row.key(), texts), one, since, now));
    }
  }

  /** Replaces all values by those that the map has now. */
  void replace(NamedTable map, Instant since, Instant now) {
    Map<List<String>, Series> before = new LinkedHashMap<>(series);
    series.clear();
    overflow = Optional.empty();
    add(map, Map.of(), since, now);
    series.forEach(
        (key, one) -> {
          Series old = before.get(key);
          if (old != null && old.value.equals(one.value)) {
            one.changed = old.changed;
          }
        });
  }

  private static MetricValue withSum(MetricValue value, @Nullable Long sum) {
    return sum != null && value instanceof MetricValue.Distributed distributed
        ? new MetricValue.Distributed(distributed.distribution().withSum(sum), distributed.unit())
        : value;
  }

  private List<String> labelsOf(Key key, LabelText texts) {
    List<String> values = new ArrayList<>(shown.size());
    for (int part : shown) {
      values.add(LabelText.bounded(texts.of(key.parts().get(part))));
    }
    return values;
  }

  private void put(List<String> key, MetricValue value, Instant since, Instant now) {
    Series known = series.get(key);
    if (known == null && series.size() < options.maxSeries()) {
      series.put(key, new Series(since, value, now));
      return;
    }
    if (known == null) {
      overflowed++;
      if (overflow.isEmpty()) {
        overflow = Optional.of(new Series(since, value, now));
        return;
      }
      known = overflow.get();
    }
    known.value = known.value.plus(value, type);
    known.changed = now;
  }

  /** Drops the series that have not changed for long. */
  void expire(Instant now) {
    if (!shown.isEmpty()) {
      Instant oldest = now.minus(options.seriesTtl());
      series.values().removeIf(one -> one.changed.isBefore(oldest));
    }
  }

  /** Returns how often a key was added to the series of all that exceed the limit. */
  long overflowed() {
    return overflowed;
  }

  String name() {
    return name;
  }

  /** Returns the number of series. */
  int size() {
    return series.size() + (overflow.isPresent() ? 1 : 0);
  }

  /** Returns the metric with its series. */
  MetricFamily family() {
    List<MetricPoint> points = new ArrayList<>(size());
    series.forEach(
        (key, one) -> {
          Map<String, String> named = new LinkedHashMap<>();
          for (int i = 0; i < key.size(); i++) {
            named.put(labels.get(shown.get(i)), key.get(i));
          }
          points.add(new MetricPoint(named, one.start, one.value));
        });
    overflow.ifPresent(
        one ->
            points.add(
                new MetricPoint(Map.of(MetricPoint.OVERFLOW, "true"), one.start, one.value)));
    return new MetricFamily(name, type, unit, LabelText.bounded(MetricNames.help(schema)), points);
  }
}
