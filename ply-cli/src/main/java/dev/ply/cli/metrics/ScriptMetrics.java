package dev.ply.cli.metrics;

import dev.ply.Session;
import dev.ply.analysis.rewrite.HistogramSums;
import dev.ply.ir.Script;
import dev.ply.metrics.MetricOptions;
import dev.ply.metrics.SessionMetrics;
import dev.ply.metrics.model.MetricFamily;
import dev.ply.result.CostMeter;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The metrics of a script, over all of its runs: its maps, and what is known about its session. */
public final class ScriptMetrics {
  private final MetricOptions options;
  private final SessionMetrics maps;
  private final boolean measuresCost;
  private Optional<CostMeter> meter = Optional.empty();

  /**
   * Creates the metrics of a script that does not run yet.
   *
   * @param options its name and its limits
   * @param measuresCost whether hits and times of probes are metrics, too
   */
  public ScriptMetrics(MetricOptions options, boolean measuresCost) {
    this.options = options;
    this.maps = new SessionMetrics(options, InstantSource.system());
    this.measuresCost = measuresCost;
  }

  /** Returns the script with the sums that are exported. */
  public static Script extended(Script script) {
    return HistogramSums.apply(script);
  }

  /**
   * Continues with a session; counters go on from where they are.
   *
   * @param script of the session: what it clears at its end is not exported
   */
  public synchronized void follow(Session session, Script script) {
    closeMeter();
    maps.follow(session, ScratchMaps.of(script));
    if (measuresCost) {
      meter = session.measureCost();
    }
  }

  /** Takes the last updates of the session, which is not asked any more. */
  public synchronized void release() {
    maps.release();
    closeMeter();
  }

  private void closeMeter() {
    meter.ifPresent(CostMeter::close);
    meter = Optional.empty();
  }

  /** Returns all metrics, up to date. */
  public synchronized List<MetricFamily> families() {
    List<MetricFamily> families = new ArrayList<>(maps.get());
    meter.ifPresent(
        measured -> families.addAll(CostMetrics.of(options.script(), measured.soFar())));
    return families;
  }
}
