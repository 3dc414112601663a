package dev.ply.metrics;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * What a session's metrics are called, and how many series they have. Immutable.
 *
 * @param script a part of the names, and the label of what is known about the session itself; empty
 *     leaves it out
 * @param threadLabels whether keys called {@code pid} and {@code tid} are labels; otherwise their
 *     rows are added, and maps that only they lead to, and that store values, are left out
 * @param maxSeries of a map: what exceeds it is in one series with the label {@code
 *     otel_metric_overflow}; at least 1
 * @param seriesTtl how long a series of a map with keys is shown after its last change
 * @param hidden the names of maps that are left out
 */
public record MetricOptions(
    Optional<String> script,
    boolean threadLabels,
    int maxSeries,
    Duration seriesTtl,
    Set<String> hidden) {
  /** No script, no labels for threads, 1,000 series a map, for an hour. */
  public static final MetricOptions DEFAULT =
      new MetricOptions(Optional.empty(), false, 1000, Duration.ofHours(1), Set.of());

  /** Checks the limits. */
  public MetricOptions {
    hidden = Set.copyOf(hidden);
    if (maxSeries < 1) {
      throw new IllegalArgumentException("a map has at least 1 series, not " + maxSeries);
    }
    if (seriesTtl.isNegative() || seriesTtl.isZero()) {
      throw new IllegalArgumentException("series are shown for longer than " + seriesTtl);
    }
  }

  /**
   * {@return these options with a script}
   *
   * @param name of the file or tool
   */
  public MetricOptions of(String name) {
    return new MetricOptions(Optional.of(name), threadLabels, maxSeries, seriesTtl, hidden);
  }

  /** {@return these options with labels for {@code pid} and {@code tid}} */
  public MetricOptions withThreadLabels() {
    return new MetricOptions(script, true, maxSeries, seriesTtl, hidden);
  }

  /**
   * {@return these options with another limit of series}
   *
   * @param most of a map, at least 1
   */
  public MetricOptions withMaxSeries(int most) {
    return new MetricOptions(script, threadLabels, most, seriesTtl, hidden);
  }

  /**
   * {@return these options with another time for which unchanged series are shown}
   *
   * @param time longer than zero
   */
  public MetricOptions withSeriesTtl(Duration time) {
    return new MetricOptions(script, threadLabels, maxSeries, time, hidden);
  }

  /**
   * {@return these options without some maps}
   *
   * @param maps their names, as the script writes them
   */
  public MetricOptions hiding(Set<String> maps) {
    return new MetricOptions(script, threadLabels, maxSeries, seriesTtl, maps);
  }
}
