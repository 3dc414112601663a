package dev.ply.cli.metrics;

import dev.ply.metrics.model.LabelText;
import dev.ply.metrics.model.MetricFamily;
import dev.ply.metrics.model.MetricPoint;
import dev.ply.metrics.model.MetricType;
import dev.ply.metrics.model.MetricValue;
import dev.ply.result.ProbeCost;
import dev.ply.result.TraceCost;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How often and how long probes ran, where that is measured. */
final class CostMetrics {
  private CostMetrics() {}

  /**
   * Returns them.
   *
   * @param script that the probes are of
   */
  static List<MetricFamily> of(Optional<String> script, TraceCost cost) {
    Instant start = Instant.now().minus(cost.elapsed());
    Map<String, MetricPoint> runs = new LinkedHashMap<>();
    Map<String, MetricPoint> seconds = new LinkedHashMap<>();
    for (ProbeCost probe : cost.probes()) {
      String name = LabelText.bounded(probe.name());
      Map<String, String> labels = new LinkedHashMap<>();
      script.ifPresent(one -> labels.put("script", LabelText.bounded(one)));
      labels.put("probe", name);
      runs.put(name, new MetricPoint(labels, start, new MetricValue.Whole(probe.hits())));
      seconds.put(
          name,
          new MetricPoint(
              labels, start, new MetricValue.Real(probe.time().toNanos() / MetricValue.NANOS)));
    }
    return List.of(
        new MetricFamily(
            "ply_probe_runs",
            MetricType.COUNTER,
            Optional.empty(),
            "Runs of the programs of probes.",
            new ArrayList<>(runs.values())),
        new MetricFamily(
            "ply_probe_run_seconds",
            MetricType.COUNTER,
            Optional.of("seconds"),
            "How long the programs of probes ran, on all CPUs together.",
            new ArrayList<>(seconds.values())));
  }
}
