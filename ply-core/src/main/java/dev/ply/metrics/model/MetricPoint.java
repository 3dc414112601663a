package dev.ply.metrics.model;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A series at one time. Immutable.
 *
 * @param labels names and values, in the order of the key's parts; valid UTF-8
 * @param start when the series began to count
 * @param value so far
 */
public record MetricPoint(Map<String, String> labels, Instant start, MetricValue value) {
  /** The label of the series that has what exceeds the limit of series. */
  public static final String OVERFLOW = "otel_metric_overflow";

  /** Copies the labels. */
  public MetricPoint {
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
  }
}
