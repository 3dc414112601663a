package dev.ply.cli;

import dev.ply.Session;
import dev.ply.Session.NamedTable;
import dev.ply.lang.events.EventTranslator;
import dev.ply.result.Datum;
import dev.ply.result.Row;
import java.util.List;
import java.util.Locale;

/** Reports the hits of each event, in the columns of the kernel's {@code kprobe_profile}. */
final class EventProfile {
  private final Console console;

  EventProfile(Console console) {
    this.console = console;
  }

  /** Reports the hits of a trace that has stopped; all misses are in the last line. */
  void report(Session session, List<NamedTable> tables) {
    for (NamedTable table : tables) {
      if (table.name().equals(EventTranslator.HITS)) {
        for (Row<Datum> row : table.table().rows()) {
          console.message(line(row.key().text(0), row.value().toText(), ""));
        }
      }
    }
    if (session.missedRuns() > 0) {
      console.message(line("(missed)", "", String.valueOf(session.missedRuns())));
    }
  }

  private static String line(String event, String hits, String missed) {
    return String.format(Locale.ROOT, "  %-44s %15s %15s", event, hits, missed).stripTrailing();
  }
}
