package dev.ply.bpf.table;

import dev.ply.analysis.typing.MapContent;
import dev.ply.bpf.machine.Machine;
import dev.ply.bpf.object.MapLayout;
import dev.ply.builtin.Merge;
import dev.ply.table.Datum;
import dev.ply.table.Table;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The updates of maps since the last call: each update is returned exactly once, even if the map is
 * cleared in between. Maps are only read. Thread-safe.
 */
public final class AddedUpdates {
  private final TableReader tables;
  private final Machine machine;
  private final Map<String, Followed> followed = new HashMap<>();

  /** The state of a map, guarded by its accumulators. */
  private static final class Followed {
    /** The words since the last clear that have been passed on. */
    private Map<ByteBuffer, long[]> told = new HashMap<>();

    /** What was added before a clear and not passed on yet. */
    private final Map<ByteBuffer, long[]> untold = new HashMap<>();

    /** The values of a map that does not aggregate. */
    private Map<ByteBuffer, ByteBuffer> values = Map.of();
  }

  AddedUpdates(TableReader tables, Machine machine) {
    this.tables = tables;
    this.machine = machine;
  }

  /** Begins with what a map has now. */
  void begin(MapLayout layout) {
    Table<Datum> unused = added(layout);
  }

  private synchronized Followed of(MapLayout layout) {
    return followed.computeIfAbsent(layout.map().name(), unused -> new Followed());
  }

  /** Returns what was added to a map since the last call. */
  public Table<Datum> added(MapLayout layout) {
    Followed map = of(layout);
    if (layout.symbol().content() instanceof MapContent.Plain) {
      return changed(layout, map);
    }
    Accumulators counted = tables.collected(layout);
    synchronized (counted) {
      Merge merge = merge(layout);
      Map<ByteBuffer, long[]> now = new HashMap<>();
      Map<ByteBuffer, long[]> added = new HashMap<>(map.untold);
      counted.forEach((key, words) -> now.put(TableReader.copy(key), words.clone()));
      now.forEach((key, words) -> add(added, merge, key, words, map.told));
      map.told = now;
      map.untold.clear();
      return tables.table(layout, added);
    }
  }

  /** Keeps what was added so far; the caller holds the lock of the accumulators. */
  void beforeClear(MapLayout layout, Accumulators.Totals cleared) {
    Followed map = of(layout);
    Merge merge = merge(layout);
    tables
        .collected(layout)
        .forEach(
            cleared,
            (key, words) -> add(map.untold, merge, TableReader.copy(key), words.clone(), map.told));
    map.told = new HashMap<>();
  }

  private static void add(
      Map<ByteBuffer, long[]> added,
      Merge merge,
      ByteBuffer key,
      long[] words,
      Map<ByteBuffer, long[]> told) {
    long[] before = told.get(key);
    long[] since = before == null ? words : merge.since(words, before);
    if (Arrays.stream(since).anyMatch(word -> word != 0)) {
      added.merge(key, since, merge::of);
    }
  }

  private static Merge merge(MapLayout layout) {
    return layout.aggregated().function().merge(layout.aggregated().shape());
  }

  /** Returns the entries whose value is another than at the last call. */
  private Table<Datum> changed(MapLayout layout, Followed map) {
    synchronized (map) {
      Map<ByteBuffer, ByteBuffer> now = new HashMap<>();
      new TableEntries(machine, layout)
          .read((key, values) -> now.put(TableReader.copy(key), TableReader.copy(values.get(0))));
      Map<ByteBuffer, ByteBuffer> changed = new HashMap<>(now);
      changed.entrySet().removeIf(entry -> entry.getValue().equals(map.values.get(entry.getKey())));
      map.values = now;
      return tables.stored(layout, changed);
    }
  }
}
