package dev.ply.bpf.codegen;

import dev.ply.analysis.MapContent;
import dev.ply.analysis.MapSymbol;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.MapLayout;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.optimize.Pass;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Chooses how a script's maps are kept. Each processor has an aggregation for itself: exact without
 * atomics where programs take turns, and without a shared cache line. Where a program finds its
 * processor's part of a value by number, that takes less than a per-CPU map does.
 */
final class TableStorage {
  /** Bytes that processors hand to each other at once. */
  private static final int CACHE_LINE = 64;

  /** Bytes of all values of a map with slots. */
  private static final int MOST_SLOTTED = 4 << 20;

  /** In how many slots the values of a table are split at most; each of its keys has them all. */
  private static final int MOST_SLOTS = 8;

  private final CompilerOptions options;
  private final int slots;

  /**
   * Storage for one script.
   *
   * @param slots how many parts there must be for each processor to find its own by number; 0 where
   *     that is not to be done
   */
  TableStorage(CompilerOptions options, int slots) {
    this.options = options;
    this.slots = slots;
  }

  /**
   * Returns where a map is kept.
   *
   * @param keys all keys that it will ever have; none if that is not known
   */
  MapLayout of(MapSymbol symbol, List<ByteBuffer> keys) {
    int valueSize = valueSize(symbol.content());
    int keySize = symbol.keys().isEmpty() ? Integer.BYTES : symbol.keyType().size();
    int entries = symbol.keys().isEmpty() ? 1 : options.mapEntries();
    if (symbol.content() instanceof MapContent.Plain) {
      return table(symbol, new BpfMap(symbol.name(), MapType.HASH, keySize, valueSize, entries));
    }
    boolean canRemove = MapLayout.removesToClear(symbol);
    boolean isPlaced = !canRemove && !keys.isEmpty() && keys.size() <= entries;
    if (isPlaced && options.passes().contains(Pass.PLACE_KNOWN_KEYS)) {
      return new MapLayout(symbol, places(symbol, keys.size()), keys);
    }
    if (!canRemove && symbol.keys().isEmpty()) {
      return table(
          symbol, new BpfMap(symbol.name(), MapType.PERCPU_ARRAY, keySize, valueSize, entries));
    }
    return table(
        symbol,
        slots <= MOST_SLOTS && isSlotted(entries, valueSize)
            ? BpfMap.slotted(symbol.name(), keySize, slotSize(valueSize), slots, entries)
            : new BpfMap(symbol.name(), MapType.PERCPU_HASH, keySize, valueSize, entries));
  }

  private static int valueSize(MapContent content) {
    return content instanceof MapContent.Aggregated aggregated
        ? AggregationCode.of(aggregated.function()).words(aggregated.valueType()) * Long.BYTES
        : Math.max(content.type().size(), 1);
  }

  private static MapLayout table(MapSymbol symbol, BpfMap map) {
    return new MapLayout(symbol, map, List.of());
  }

  /** Returns a map with a place for each of the keys. */
  private BpfMap places(MapSymbol symbol, int keys) {
    int valueSize = valueSize(symbol.content());
    if (MapLayout.marksUpdates(symbol)) {
      valueSize += Long.BYTES;
    }
    return isSlotted(keys, valueSize)
        ? BpfMap.places(symbol.name(), slotSize(valueSize), slots * keys)
        : new BpfMap(symbol.name(), MapType.PERCPU_ARRAY, Integer.BYTES, valueSize, keys);
  }

  private boolean isSlotted(int entries, int valueSize) {
    return slots > 0 && (long) entries * slots * slotSize(valueSize) <= MOST_SLOTTED;
  }

  private int slotSize(int valueSize) {
    return slots == 1 ? valueSize : Math.max(valueSize, CACHE_LINE);
  }
}
