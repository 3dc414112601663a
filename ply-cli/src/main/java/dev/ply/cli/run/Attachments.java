package dev.ply.cli.run;

import dev.ply.result.AttachedSite;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Says by which mechanism probes are attached. */
final class Attachments {
  /** The maximum number of sites named per mechanism. */
  private static final int NAMED = 3;

  private Attachments() {}

  /** Returns a line for each mechanism and reason. */
  static List<String> lines(List<AttachedSite> sites) {
    Map<String, List<String>> points = new LinkedHashMap<>();
    for (AttachedSite attached : sites) {
      points
          .computeIfAbsent(
              "by " + attached.mechanism() + ", since " + attached.reason(),
              how -> new ArrayList<>())
          .add(attached.point());
    }
    List<String> lines = new ArrayList<>();
    points.forEach(
        (how, where) -> {
          int more = where.size() - NAMED;
          lines.add(
              String.join(", ", where.subList(0, Math.min(NAMED, where.size())))
                  + (more > 0 ? " and " + more + " more " : " ")
                  + how);
        });
    return lines;
  }
}
