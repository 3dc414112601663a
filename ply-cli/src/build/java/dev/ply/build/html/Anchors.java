package dev.ply.build.html;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The anchors of a page's headings, as GitHub makes them: links into pages work in both. */
final class Anchors {
  private final Map<String, Integer> used = new HashMap<>();

  /** Returns the anchor of the next heading. */
  String next(String heading) {
    String plain =
        heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-');
    String anchor = plain.isEmpty() ? "section" : plain;
    int times = used.merge(anchor, 1, Integer::sum);
    return times == 1 ? anchor : anchor + "-" + (times - 1);
  }
}
