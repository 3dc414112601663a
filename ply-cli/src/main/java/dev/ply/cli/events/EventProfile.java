package dev.ply.cli.events;

import dev.ply.Session;
import dev.ply.cli.io.Console;
import dev.ply.ir.Clause;
import dev.ply.ir.Script;
import dev.ply.lang.events.translate.EventTranslator;
import dev.ply.table.Datum;
import dev.ply.table.NamedTable;
import dev.ply.table.Row;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reports the hits and misses of each event, in the columns of the kernel's kprobe_profile. */
final class EventProfile {
  private final Console console;

  EventProfile(Console console) {
    this.console = console;
  }

  /** Reports the hits of a trace that has stopped, for each event in the order of definitions. */
  void report(Session session, Script script, List<NamedTable> tables) {
    Map<String, Long> hits = hits(tables);
    Map<String, Long> missed = new LinkedHashMap<>();
    Map<String, Long> missedByPoint = session.losses().missedByPoint();
    for (Clause clause : script.clauses()) {
      long count = missedByPoint.getOrDefault(clause.point().definition(), 0L);
      EventTranslator.event(clause).ifPresent(event -> missed.merge(event, count, Long::sum));
    }
    missed.forEach(
        (event, count) ->
            console.message(
                String.format(
                    Locale.ROOT,
                    "  %-44s %15d %15d",
                    event.substring(event.indexOf('/') + 1),
                    hits.getOrDefault(event, 0L),
                    count)));
  }

  private static Map<String, Long> hits(List<NamedTable> tables) {
    Map<String, Long> hits = new LinkedHashMap<>();
    for (NamedTable table : tables) {
      if (table.name().equals(EventTranslator.HITS)) {
        for (Row<Datum> row : table.table().rows()) {
          hits.put(row.key().text(0), ((Datum.Int) row.value()).value());
        }
      }
    }
    return hits;
  }
}
