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
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The updates of maps since the last call: each update is returned exactly once, even if the map is
 * cleared in between. The maps themselves are only read. Cleared keys are kept until the next call,
 * up to the capacity of their map; updates of further keys are counted. Thread-safe.
 */
public final class AddedUpdates {
  private final TableReader tables;
  private final Machine machine;
  private final Map<String, Followed> followed = new HashMap<>();
  private final AtomicLong leftOut = new AtomicLong();

  /** The state of a map, guarded by its accumulators. */
  private static final class Followed {
    /** The words since the last clear that have been passed on. */
    private Map<ByteBuffer, long[]> told = new HashMap<>();

    /** Updates from before a clear that are not passed on yet. */
    private final Map<ByteBuffer, long[]> untold = new HashMap<>();

    /** The values of a map that does not aggregate. */
    private Map<ByteBuffer, ByteBuffer> values = Map.of();

    Optional<long[]> told(ByteBuffer key) {
      return Optional.ofNullable(told.get(key));
    }
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
      now.forEach(
          (key, words) ->
              since(merge, words, map.told(key))
                  .ifPresent(since -> added.merge(key, since, merge::of)));
      map.told = now;
      map.untold.clear();
      return tables.table(layout, added);
    }
  }

  /** Keeps what was added so far; the caller holds the lock of the accumulators. */
  void beforeClear(MapLayout layout, Accumulators.Totals cleared) {
    Followed map = of(layout);
    Merge merge = merge(layout);
    int most = Math.max(layout.map().maxEntries(), layout.keys().size());
    tables
        .collected(layout)
        .forEach(
            cleared,
            (key, words) ->
                since(merge, words.clone(), map.told(key))
                    .ifPresent(
                        since -> {
                          if (map.untold.size() < most || map.untold.containsKey(key)) {
                            map.untold.merge(TableReader.copy(key), since, merge::of);
                          } else {
                            leftOut.incrementAndGet();
                          }
                        }));
    map.told = new HashMap<>();
  }

  /** Returns the number of keys whose updates were cleared and not kept. */
  long leftOut() {
    return leftOut.get();
  }

  /** Returns the words of a key since they were passed on, if there are any. */
  private static Optional<long[]> since(Merge merge, long[] words, Optional<long[]> told) {
    long[] since = told.map(before -> merge.since(words, before)).orElse(words);
    return Arrays.stream(since).anyMatch(word -> word != 0) ? Optional.of(since) : Optional.empty();
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
