package dev.ply.cli.metrics;

import dev.ply.Session;
import dev.ply.analysis.rewrite.HistogramSums;
import dev.ply.diagnostic.Source;
import dev.ply.ir.Script;
import dev.ply.metrics.MetricOptions;
import dev.ply.metrics.SessionMetrics;
import dev.ply.metrics.model.MetricFamily;
import dev.ply.result.CostMeter;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The metrics of a script: its maps, what is known about its session, and the tracer itself. */
final class ScriptMetrics {
  private final SessionMetrics maps;
  private final boolean measuresCost;
  private Optional<CostMeter> meter = Optional.empty();

  private ScriptMetrics(MetricOptions options, boolean measuresCost) {
    this.maps = new SessionMetrics(options, InstantSource.system());
    this.measuresCost = measuresCost;
  }

  /**
   * Returns the metrics of a script.
   *
   * @param source whose file gives it its name; a program on a command line has none
   * @param options its limits
   */
  static ScriptMetrics of(
      Source source, Script script, MetricOptions options, boolean measuresCost) {
    MetricOptions shown = options.hiding(ScratchMaps.of(script));
    Optional<String> name = ScriptName.of(source);
    return new ScriptMetrics(name.isPresent() ? shown.of(name.get()) : shown, measuresCost);
  }

  /** Returns the script with the sums that are exported. */
  Script extended(Script script) {
    return HistogramSums.apply(script);
  }

  synchronized void follow(Session session) {
    maps.follow(session);
    if (measuresCost) {
      meter = session.measureCost();
    }
  }

  synchronized void release() {
    maps.release();
    meter.ifPresent(CostMeter::close);
    meter = Optional.empty();
  }

  /** Returns all metrics, up to date. */
  synchronized List<MetricFamily> families() {
    List<MetricFamily> families = new ArrayList<>(maps.get());
    meter.ifPresent(measured -> families.addAll(CostMetrics.of(measured.soFar())));
    families.addAll(ProcessMetrics.get());
    return families;
  }
}
