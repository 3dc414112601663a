package dev.ply.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.metrics.model.Distribution;
import dev.ply.metrics.model.MetricFamily;
import dev.ply.metrics.model.MetricPoint;
import dev.ply.metrics.model.MetricType;
import dev.ply.metrics.model.MetricValue;
import dev.ply.table.BucketHistogram;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a registry of Micrometer has of maps. */
class MicrometerMetricsTest {
  private static MetricFamily family(
      String name, MetricType type, Map<String, String> labels, MetricValue value) {
    return new MetricFamily(
        name, type, Optional.empty(), "", List.of(new MetricPoint(labels, Instant.EPOCH, value)));
  }

  @Test
  void eachSeriesHasItsMeters() {
    MeterRegistry registry = new SimpleMeterRegistry();
    Distribution sizes =
        Distribution.of(BucketHistogram.linear(0, 20, 10, new long[] {0, 2, 3, 1})).withSum(70);
    new MicrometerMetrics(
            () ->
                List.of(
                    family(
                        "ply_calls",
                        MetricType.COUNTER,
                        Map.of("comm", "cat"),
                        new MetricValue.Whole(3)),
                    family("ply_last", MetricType.GAUGE, Map.of(), new MetricValue.Real(1.5)),
                    family(
                        "ply_size",
                        MetricType.HISTOGRAM,
                        Map.of(),
                        new MetricValue.Distributed(sizes, 1))))
        .bindTo(registry);
    assertThat(registry.get("ply_calls").tag("comm", "cat").functionCounter().count()).isEqualTo(3);
    assertThat(registry.get("ply_last").gauge().value()).isEqualTo(1.5);
    assertThat(registry.get("ply_size.bucket").tag("le", "19.0").functionCounter().count())
        .isEqualTo(5);
    assertThat(registry.get("ply_size").meter().measure())
        .anyMatch(one -> one.getStatistic() == Statistic.COUNT && one.getValue() == 6)
        .anyMatch(one -> one.getStatistic() == Statistic.TOTAL && one.getValue() == 70);
    assertThat(registry.get("ply.meters").gauge().value()).isEqualTo(3);
  }
}
