package dev.ply.cli.serve;

import dev.ply.metrics.model.MetricFamily;
import dev.ply.metrics.model.MetricPoint;
import dev.ply.metrics.model.MetricType;
import dev.ply.metrics.model.MetricValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is known about the service itself: whether scripts run, and whether it was reloaded. */
final class ServiceMetrics {
  private final Instant begun = Instant.now();
  private boolean isReloaded = true;
  private Instant reloaded = begun;

  /** A configuration was read. */
  synchronized void loaded(Instant now) {
    isReloaded = true;
    reloaded = now;
  }

  /** A configuration has errors. */
  synchronized void refused() {
    isReloaded = false;
  }

  /** Returns the families. */
  synchronized List<MetricFamily> families(Map<String, ScriptState.Snapshot> scripts) {
    List<MetricFamily> all = new ArrayList<>();
    all.add(
        family(
            "ply_config_last_reload_successful",
            MetricType.GAUGE,
            "Whether the configuration was right when it was last read.",
            List.of(point(Map.of(), isReloaded ? 1 : 0))));
    all.add(
        new MetricFamily(
            "ply_config_last_reload_success_timestamp_seconds",
            MetricType.GAUGE,
            Optional.of("seconds"),
            "When the configuration that is in force was read, since the epoch.",
            List.of(
                new MetricPoint(
                    Map.of(), begun, new MetricValue.Real(reloaded.toEpochMilli() / 1e3)))));
    List<MetricPoint> up = new ArrayList<>();
    List<MetricPoint> current = new ArrayList<>();
    List<MetricPoint> restarts = new ArrayList<>();
    List<MetricPoint> failures = new ArrayList<>();
    List<MetricPoint> last = new ArrayList<>();
    scripts.forEach(
        (name, state) -> {
          up.add(point(Map.of("script", name), state.runs() ? 1 : 0));
          current.add(point(Map.of("script", name), state.isCurrent() ? 1 : 0));
          restarts.add(point(Map.of("script", name), Math.max(0, state.starts() - 1)));
          for (Failure.Kind kind : Failure.Kind.values()) {
            failures.add(point(kind(name, kind), state.failures().getOrDefault(kind, 0L)));
          }
          state
              .last()
              .ifPresent(
                  failure ->
                      last.add(
                          new MetricPoint(
                              kind(name, failure.kind()),
                              begun,
                              new MetricValue.Real(state.lastTime().toEpochMilli() / 1e3))));
        });
    all.add(family("ply_script_up", MetricType.GAUGE, "Whether a script runs.", up));
    all.add(
        family(
            "ply_script_current",
            MetricType.GAUGE,
            "Whether a script runs as its file and the configuration were when they were last read.",
            current));
    all.add(
        family(
            "ply_script_restarts",
            MetricType.COUNTER,
            "How often a script was started again, after a failure or replaced.",
            restarts));
    all.add(
        family(
            "ply_script_failures",
            MetricType.COUNTER,
            "How often a script has failed, by kind.",
            failures));
    if (!last.isEmpty()) {
      all.add(
          new MetricFamily(
              "ply_script_last_failure_timestamp_seconds",
              MetricType.GAUGE,
              Optional.of("seconds"),
              "When a script failed last, since the epoch, and how.",
              last));
    }
    return all;
  }

  private static Map<String, String> kind(String script, Failure.Kind kind) {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put("script", script);
    labels.put("kind", kind.label());
    return labels;
  }

  private static MetricFamily family(
      String name, MetricType type, String help, List<MetricPoint> points) {
    return new MetricFamily(name, type, Optional.empty(), help, points);
  }

  private MetricPoint point(Map<String, String> labels, long value) {
    return new MetricPoint(labels, begun, new MetricValue.Whole(value));
  }
}
