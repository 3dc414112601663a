package dev.ply.bpf.session;

import dev.ply.analysis.MapContent;
import dev.ply.analysis.MapSymbol;
import dev.ply.bpf.object.MapLayout;
import dev.ply.result.Datum;
import dev.ply.result.Key;
import dev.ply.result.Row;
import dev.ply.result.Table;
import dev.ply.target.Target;
import dev.ply.type.StructField;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Reads maps as tables: decodes keys, merges CPUs. */
final class TableReader {
  private final Machine machine;
  private final DatumReader reader;
  private final Target target;
  private final Map<String, Accumulators> collected = new ConcurrentHashMap<>();

  TableReader(Machine machine, DatumReader reader, Target target) {
    this.machine = machine;
    this.reader = reader;
    this.target = target;
  }

  /** Returns the current content of a map. */
  Table<Datum> read(MapLayout layout) {
    List<Row<Datum>> rows = new ArrayList<>();
    if (layout.symbol().content() instanceof MapContent.Plain plain) {
      machine.read(
          layout.map(),
          (key, values) ->
              rows.add(
                  new Row<>(
                      key(layout.symbol(), key), reader.read(plain.type(), values.get(0), 0))));
    } else {
      collected(layout).forEach((key, counters) -> add(rows, layout, key, counters));
    }
    return Table.of(rows).on(target);
  }

  /** Returns those of {@code totals} that have not been cleared since. */
  Table<Datum> read(MapLayout layout, Accumulators.Totals totals) {
    List<Row<Datum>> rows = new ArrayList<>();
    collected(layout).forEach(totals, (key, counters) -> add(rows, layout, key, counters));
    return Table.of(rows).on(target);
  }

  /** Returns the content of an aggregating map, and clears exactly that. */
  Table<Datum> take(MapLayout layout) {
    Accumulators counted = collected(layout);
    synchronized (counted) {
      Accumulators.Totals totals = counted.totals();
      Table<Datum> table = read(layout, totals);
      counted.clear(Optional.of(totals));
      return table;
    }
  }

  /** Returns the accumulators of an aggregating map. */
  Accumulators collected(MapLayout layout) {
    return collected.computeIfAbsent(
        layout.map().name(), unused -> Accumulators.of(machine, layout));
  }

  private void add(List<Row<Datum>> rows, MapLayout layout, ByteBuffer key, long[] counters) {
    value(layout, counters)
        .ifPresent(value -> rows.add(new Row<>(key(layout.symbol(), key), value)));
  }

  private Key key(MapSymbol symbol, ByteBuffer bytes) {
    List<Datum> parts = new ArrayList<>(symbol.keys().size());
    for (StructField field : symbol.keyType().fields()) {
      parts.add(reader.read(field.type(), bytes, field.offset()));
    }
    return new Key(parts);
  }

  /** Returns the result, empty without updates. */
  private static Optional<Datum> value(MapLayout layout, long[] counters) {
    MapContent.Aggregated content = layout.aggregated();
    // A hash map's key implies an update; a fixed key does not.
    boolean isUpdated =
        layout.marksUpdates() ? counters[1] != 0 : !layout.symbol().keys().isEmpty();
    long[] words = Arrays.copyOf(counters, content.function().words(content.shape()));
    return content.function().result(words, content.shape(), isUpdated);
  }
}
