package dev.ply.analysis.site;

import static dev.ply.diagnostic.DiagnosticCode.UNKNOWN_TRACEPOINT;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.diagnostic.Suggestions;
import dev.ply.probe.AttachPoint;
import dev.ply.selector.TracepointSelector;
import dev.ply.target.TracepointCatalog;
import dev.ply.target.UnreadableTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Expands attach points on tracepoints to those that a target has. */
final class ExpandTracepoint {
  private final TracepointCatalog tracepoints;
  private final Diagnostics diagnostics;

  ExpandTracepoint(TracepointCatalog tracepoints, Diagnostics diagnostics) {
    this.tracepoints = tracepoints;
    this.diagnostics = diagnostics;
  }

  /** Returns the sites; none after a diagnostic. */
  List<AttachPoint> apply(AttachPoint.Tracepoint point, SourceSpan span) {
    try {
      if (point.place() instanceof TracepointSelector.Events pattern) {
        List<AttachPoint> found = new ArrayList<>();
        tracepoints.names().forEach(name -> addMatching(found, pattern, name));
        if (found.isEmpty()) {
          unknown("no tracepoint matches " + pattern.text(), pattern, span);
        }
        return found;
      }
      TracepointSelector.Event event = (TracepointSelector.Event) point.place();
      if (tracepoints.id(event.category(), event.event()).isPresent()) {
        return List.of(point);
      }
      unknown("unknown tracepoint " + event.text(), event, span);
    } catch (UnreadableTargetException e) {
      diagnostics.error(
          DiagnosticCode.UNREADABLE,
          span,
          "cannot look up tracepoint " + point.place().text() + ": " + e.getMessage());
    }
    return List.of();
  }

  private static void addMatching(
      List<AttachPoint> found, TracepointSelector.Events pattern, String name) {
    int colon = name.indexOf(':');
    TracepointSelector.Event event =
        new TracepointSelector.Event(name.substring(0, colon), name.substring(colon + 1));
    if (pattern.matches(event)) {
      found.add(new AttachPoint.Tracepoint(event));
    }
  }

  private void unknown(String message, TracepointSelector place, SourceSpan span) {
    diagnostics.error(
        UNKNOWN_TRACEPOINT,
        span,
        message,
        moved(place.text())
            .map(hint -> new String[] {hint})
            .orElseGet(
                () ->
                    Suggestions.hint(
                        ExpandPoint.literal(place.text()),
                        tracepoints.names(),
                        longerNames(place))));
  }

  /** Returns what a tracepoint is called now: the event in another category, or another event. */
  private Optional<String> moved(String name) {
    String event = name.substring(name.indexOf(':'));
    List<String> known = KernelRenames.TRACEPOINTS.get(name);
    List<String> found =
        tracepoints
            .names()
            .filter(one -> one.endsWith(event) || known.contains(one))
            .sorted()
            .limit(ExpandPoint.MOST_NAMES)
            .toList();
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of("this kernel has " + String.join(", ", found) + " instead");
  }

  /** Returns a hint with tracepoints of the category whose names start with the given one. */
  private String[] longerNames(TracepointSelector place) {
    int colon = place.text().indexOf(':');
    String start = place.text().substring(0, colon + 1);
    String end = "_" + place.text().substring(colon + 1);
    List<String> names =
        tracepoints
            .names()
            .filter(name -> name.startsWith(start) && name.endsWith(end))
            .sorted()
            .limit(ExpandPoint.MOST_NAMES)
            .toList();
    if (names.isEmpty()) {
      return tracepoints.names().anyMatch(name -> name.startsWith(start))
          ? new String[] {"ply -l 'tracepoint:" + start + "*' lists tracepoints"}
          : new String[0];
    }
    return new String[] {
      (names.size() == 1 ? "there is " : "there are ") + String.join(", ", names)
    };
  }
}
