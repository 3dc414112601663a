package dev.ply.metrics.model;

import dev.ply.table.Datum;
import dev.ply.table.NamedTable;
import dev.ply.table.Row;
import java.util.Optional;

/** What a metric measures, and so how its values can be combined. */
public enum MetricType {
  /** A number that only grows: counts, and sums of unsigned values. */
  COUNTER("counter"),
  /** A sum of signed values, which can shrink. */
  UP_DOWN_COUNTER("gauge"),
  /** A number as it is now. */
  GAUGE("gauge"),
  /** A count and a sum. */
  SUMMARY("summary"),
  /** Counts by ranges. */
  HISTOGRAM("histogram"),
  /** A text. */
  INFO("info");

  private final String word;

  MetricType(String word) {
    this.word = word;
  }

  /** {@return the type's name in the text formats of Prometheus} */
  public String word() {
    return word;
  }

  /** {@return whether values of several moments and keys can be added} */
  public boolean adds() {
    return this != GAUGE && this != INFO;
  }

  /**
   * {@return the type of a map's metric; empty for a map without rows}
   *
   * @param map with the rows that tell
   */
  public static Optional<MetricType> of(NamedTable map) {
    return map.table().stream()
        .findFirst()
        .map(Row::value)
        .map(value -> of(value, map.schema().aggregation().orElse("")));
  }

  private static MetricType of(Datum value, String aggregation) {
    if (value instanceof Datum.Distribution || value instanceof Datum.Buckets) {
      return HISTOGRAM;
    } else if (value instanceof Datum.Stats) {
      return SUMMARY;
    } else if (value instanceof Datum.Int number) {
      return number.type().isStack()
          ? INFO
          : switch (aggregation) {
            case "count" -> COUNTER;
            case "sum" -> number.type().isSigned() ? UP_DOWN_COUNTER : COUNTER;
            default -> GAUGE;
          };
    }
    return value instanceof Datum.Real
            || value instanceof Datum.Series
            || value instanceof Datum.Address
        ? GAUGE
        : INFO;
  }
}
