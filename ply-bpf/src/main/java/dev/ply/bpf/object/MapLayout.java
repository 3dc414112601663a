package dev.ply.bpf.object;

import dev.ply.analysis.MapContent;
import dev.ply.analysis.MapSymbol;
import dev.ply.builtin.AggregateFunctions;
import dev.ply.builtin.Merge;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A script's map and the BPF map that stores it.
 *
 * @param keys the keys as they lie in memory, read-only, if all that there will ever be are known:
 *     then the map is an array, and the key with the number n has its value at place n, which is
 *     entry n of a per-CPU array, and n times the slots of a key in the only entry of a plain one.
 *     Empty if the map is looked up by key
 */
public record MapLayout(MapSymbol symbol, BpfMap map, List<ByteBuffer> keys) {
  public MapLayout {
    keys = List.copyOf(keys);
  }

  /**
   * Returns the content of a map that aggregates.
   *
   * @throws ClassCastException if this map does not
   */
  public MapContent.Aggregated aggregated() {
    return (MapContent.Aggregated) symbol.content();
  }

  /** Returns whether entries are removed to clear the map. Entries of arrays cannot be. */
  public boolean removesToClear() {
    return removesToClear(symbol);
  }

  /**
   * Returns whether {@link #removesToClear()} however the map is stored: what was merged as a
   * maximum cannot be subtracted.
   */
  public static boolean removesToClear(MapSymbol symbol) {
    return symbol.content() instanceof MapContent.Aggregated aggregated
        && aggregated.function().merge() == Merge.MAXIMUM;
  }

  /**
   * Tells whether a sum has a second word that is 1 as soon as anything was added, be it zero. In a
   * table, that a key is there tells as much; what has a place of its own is always there.
   */
  public boolean marksUpdates() {
    return !keys.isEmpty() && marksUpdates(symbol);
  }

  /** Tells whether {@link #marksUpdates()} if all keys are known; sums without keys do not show. */
  public static boolean marksUpdates(MapSymbol symbol) {
    return symbol.content() instanceof MapContent.Aggregated aggregated
        && aggregated.function() == AggregateFunctions.SUM
        && !symbol.keys().isEmpty();
  }
}
