package dev.ply.metrics.model;

import java.util.List;
import java.util.Optional;

/**
 * A metric and its series at one time. Immutable.
 *
 * @param name with its unit, without {@code _total} and other suffixes
 * @param type what it measures
 * @param unit the base unit, the end of its name: {@code seconds}, {@code bytes}
 * @param help what it is, in a line
 * @param points its series
 */
public record MetricFamily(
    String name, MetricType type, Optional<String> unit, String help, List<MetricPoint> points) {
  /** Copies the series. */
  public MetricFamily {
    points = List.copyOf(points);
  }
}
