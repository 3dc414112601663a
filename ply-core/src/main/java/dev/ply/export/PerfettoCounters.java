package dev.ply.export;

import dev.ply.result.Result;
import dev.ply.table.Datum;
import dev.ply.table.FlameGraph;
import dev.ply.table.NamedTable;
import dev.ply.table.Row;
import dev.ply.table.TableSchema.Unit;
import dev.ply.target.KernelSymbols;
import dev.ply.target.Target;
import dev.ply.text.TextBuffer;
import dev.ply.type.Escapes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Maps as counters of a Perfetto trace, a track for each row. A map that the script prints has a
 * value for each time that it does, others have one for each period in which it changed, and all
 * have one at the end. Not thread-safe.
 */
final class PerfettoCounters {
  private static final int COUNTER = 4;

  /** Larger maps have no values of periods: a trace would grow by megabytes a minute. */
  private static final int MOST_ROWS = 1000;

  private final Target target;
  private final PerfettoPackets packets;
  private final Map<String, Counter> counters = new HashMap<>();
  private final Set<String> printed = new HashSet<>();

  /** A track, and its last value. */
  private record Counter(long track, long value) {}

  PerfettoCounters(Target target, PerfettoPackets packets) {
    this.target = target;
    this.packets = packets;
  }

  /**
   * Writes the values of maps; nothing of what was added in a period, since counters are totals.
   *
   * @param time since the boot, in nanoseconds
   */
  void write(TextBuffer out, Result.Snapshot snapshot, long time) {
    for (NamedTable map : snapshot.maps()) {
      switch (snapshot.occasion()) {
        case ADDED -> {}
        case TOTALS -> {
          if (!printed.contains(map.name())
              && !map.schema().isProfile()
              && map.table().size() <= MOST_ROWS) {
            counters(out, map, time, true);
          }
        }
        case PRINTED -> {
          printed.add(map.name());
          counters(out, map, time, false);
        }
        case FINAL -> counters(out, map, time, false);
      }
    }
  }

  private void counters(TextBuffer out, NamedTable map, long time, boolean ifChanged) {
    for (Row<Datum> row : map.table()) {
      String name = name(map, row);
      if (row.value() instanceof Datum.Stats stats) {
        Unit unit = map.schema().unit();
        long count = stats.statistics().count();
        counter(out, name + " count", Unit.CALLS, count, time, ifChanged);
        counter(out, name + " total", unit, stats.statistics().total(), time, ifChanged);
      } else if (row.value().weight().isPresent()) {
        boolean isCount = row.value().isDrawn();
        Unit unit = isCount ? Unit.CALLS : map.schema().unit();
        long value = row.value().weight().getAsLong();
        counter(out, name + (isCount ? " count" : ""), unit, value, time, ifChanged);
      }
      out.spill();
    }
  }

  private String name(NamedTable map, Row<Datum> row) {
    if (row.key().parts().isEmpty()) {
      return map.name();
    }
    KernelSymbols symbols = map.table().target().orElse(target).symbols();
    List<String> path = FlameGraph.path(row.key(), symbols);
    return map.name() + "[" + String.join(", ", path.stream().map(Escapes::escape).toList()) + "]";
  }

  private void counter(
      TextBuffer out, String of, Unit unit, long value, long time, boolean ifChanged) {
    String name = of + (unit == Unit.PAGES ? " (pages)" : "");
    Counter known = counters.get(name);
    if (ifChanged && known != null && known.value == value) {
      return;
    }
    long track = known == null ? track(out, name, unit) : known.track;
    counters.put(name, new Counter(track, value));
    ProtobufWriter event =
        new ProtobufWriter().number(9, COUNTER).number(11, track).number(30, value);
    packets.event(out, time, event);
  }

  private long track(TextBuffer out, String name, Unit unit) {
    ProtobufWriter counter = new ProtobufWriter();
    switch (unit) {
      case NANOSECONDS -> counter.number(3, 1);
      case CALLS -> counter.number(3, 2);
      case BYTES -> counter.number(3, 3);
      case PAGES, NONE -> counter.number(3, 0);
    }
    return packets.track(out, new ProtobufWriter().text(2, name).message(8, counter));
  }
}
