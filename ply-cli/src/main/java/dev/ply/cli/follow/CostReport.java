package dev.ply.cli.follow;

import dev.ply.result.ProbeCost;
import dev.ply.result.TraceCost;
import dev.ply.type.Escapes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The cost of a trace as lines for people, the most expensive probes first. */
record CostReport(TraceCost cost) {
  private static final int MOST_PROBES = 20;
  private static final int WIDEST_NAME = 60;

  List<String> lines() {
    List<ProbeCost> probes =
        cost.probes().stream().sorted(Comparator.comparing(ProbeCost::time).reversed()).toList();
    List<ProbeCost> shown = probes.subList(0, Math.min(MOST_PROBES, probes.size()));
    List<String> names = shown.stream().map(probe -> Escapes.escape(probe.name())).toList();
    int width = names.stream().mapToInt(String::length).max().orElse(0);
    width = Math.max("probe".length(), Math.min(WIDEST_NAME, width));
    List<String> lines = new ArrayList<>();
    lines.add(format("cost within %.1f s:", cost.elapsed().toNanos() / 1e9));
    lines.add(
        format("  %-" + width + "s %12s %10s %12s", "probe", "hits/s", "ns a hit", "% of a CPU"));
    for (int i = 0; i < shown.size(); i++) {
      ProbeCost probe = shown.get(i);
      lines.add(
          format(
              "  %-" + width + "s %,12.0f %,10d %12.2f",
              names.get(i),
              cost.perSecond(probe.hits()),
              probe.nanosPerHit(),
              percent(probe.time())));
    }
    if (probes.size() > shown.size()) {
      lines.add(format("  … and %,d more", probes.size() - shown.size()));
    }
    lines.add(
        format(
            "all programs took %.2f %% of a CPU, ply itself %.2f %%; measuring added %d ns to each"
                + " hit, which are not counted",
            percent(cost.ofProbes()), percent(cost.tracer()), cost.measuring().toNanos()));
    return lines;
  }

  private double percent(Duration time) {
    return 100 * cost.share(time);
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
