package dev.ply.metrics;

import dev.ply.Session;
import dev.ply.metrics.model.LabelText;
import dev.ply.metrics.model.MetricFamily;
import dev.ply.metrics.model.MetricPoint;
import dev.ply.metrics.model.MetricType;
import dev.ply.metrics.model.MetricValue;
import dev.ply.result.AttachedSite;
import dev.ply.result.Loss;
import dev.ply.result.Losses;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What is known about a session itself: what is attached, what is lost, how many series. */
final class OwnMetrics {
  /** A pattern can have attached tens of thousands. */
  private static final int MOST_SITES = 100;

  private final Map<String, String> script = new LinkedHashMap<>();
  private final List<MetricFamily> families = new ArrayList<>();
  private final Instant begun;

  OwnMetrics(MetricOptions options, Instant begun) {
    options.script().ifPresent(name -> script.put("script", LabelText.bounded(name)));
    this.begun = begun;
  }

  /**
   * Returns the metrics.
   *
   * @param lostBefore by earlier sessions
   */
  List<MetricFamily> families(
      Optional<Session> session, Map<Loss, Long> lostBefore, List<MapSeries> maps) {
    List<AttachedSite> sites = session.map(Session::attachments).orElse(List.of());
    addSites(sites);
    Losses losses = session.map(Session::losses).orElse(new Losses(Map.of(), Map.of()));
    List<MetricPoint> lost = new ArrayList<>();
    for (Loss loss : Loss.values()) {
      lost.add(
          point(
              Map.of("what", loss.name().toLowerCase(Locale.ROOT)),
              losses.of(loss) + lostBefore.getOrDefault(loss, 0L)));
    }
    add("ply_lost", MetricType.COUNTER, "What the trace has lost, by kind.", lost);
    addMaps(maps);
    return families;
  }

  private void addSites(List<AttachedSite> sites) {
    add(
        "ply_attached_probes",
        MetricType.GAUGE,
        "Probes that are attached.",
        List.of(point(Map.of(), sites.size())));
    Map<Map<String, String>, MetricPoint> programs = new LinkedHashMap<>();
    for (AttachedSite site : sites.subList(0, Math.min(sites.size(), MOST_SITES))) {
      Map<String, String> labels = new LinkedHashMap<>();
      labels.put("probe", LabelText.bounded(site.point()));
      labels.put("mechanism", site.mechanism().toString());
      programs.put(labels, new MetricPoint(with(labels), begun, new MetricValue.Text("")));
    }
    add(
        "ply_program",
        MetricType.INFO,
        "The first " + MOST_SITES + " probes, and how they are attached.",
        List.copyOf(programs.values()));
  }

  private void addMaps(List<MapSeries> maps) {
    List<MetricPoint> series = new ArrayList<>();
    List<MetricPoint> overflowed = new ArrayList<>();
    for (MapSeries map : maps) {
      Map<String, String> metric = Map.of("metric", map.name());
      series.add(point(metric, map.size()));
      overflowed.add(point(metric, map.overflowed()));
    }
    add("ply_series", MetricType.GAUGE, "Series of a metric.", series);
    add(
        "ply_dropped_series",
        MetricType.COUNTER,
        "Changed keys at each collection that had no series of their own: their values are in the"
            + " series of the overflow.",
        overflowed);
  }

  private void add(String name, MetricType type, String help, List<MetricPoint> points) {
    if (!points.isEmpty()) {
      families.add(new MetricFamily(name, type, Optional.empty(), help, points));
    }
  }

  private MetricPoint point(Map<String, String> labels, long value) {
    return new MetricPoint(with(labels), begun, new MetricValue.Whole(value));
  }

  private Map<String, String> with(Map<String, String> labels) {
    Map<String, String> all = new LinkedHashMap<>(script);
    all.putAll(labels);
    return all;
  }
}
