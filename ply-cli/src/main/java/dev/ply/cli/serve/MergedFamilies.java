package dev.ply.cli.serve;

import dev.ply.cli.io.Console;
import dev.ply.metrics.model.MetricFamily;
import dev.ply.metrics.model.MetricPoint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The families of several scripts as one list. Those about scripts themselves have the points of
 * all; of maps whose names are the same in two scripts, the first script's are taken. Thread-safe.
 */
final class MergedFamilies {
  private final Console console;
  private final Set<String> reported = new HashSet<>();

  MergedFamilies(Console console) {
    this.console = console;
  }

  private record Owned(String script, MetricFamily family) {}

  /** Returns the families of scripts, by name. */
  synchronized List<MetricFamily> of(Map<String, List<MetricFamily>> scripts) {
    Map<String, Owned> merged = new LinkedHashMap<>();
    scripts.forEach(
        (script, families) ->
            families.forEach(
                family ->
                    merged.merge(
                        family.name(), new Owned(script, family), (a, b) -> merged(a, b))));
    return merged.values().stream().map(Owned::family).toList();
  }

  private Owned merged(Owned first, Owned second) {
    if (isAboutScripts(first.family()) && isAboutScripts(second.family())) {
      List<MetricPoint> points = new ArrayList<>(first.family().points());
      points.addAll(second.family().points());
      MetricFamily one = first.family();
      return new Owned(
          first.script(), new MetricFamily(one.name(), one.type(), one.unit(), one.help(), points));
    }
    if (reported.add(first.script() + " " + second.script() + " " + first.family().name())) {
      console.warning(taken(first.script(), second.script(), first.family().name()));
    }
    return first;
  }

  /** Returns that a metric of two scripts is that of the first. */
  static String taken(String first, String second, String metric) {
    return "scripts "
        + first
        + " and "
        + second
        + " both have a metric "
        + metric
        + ": that of "
        + second
        + " is left out; another name of the script makes another metric";
  }

  /** The label {@code script} is reserved for these. */
  private static boolean isAboutScripts(MetricFamily family) {
    return family.points().stream().allMatch(point -> point.labels().containsKey("script"));
  }
}
