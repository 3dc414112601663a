package dev.ply.bpf.codegen.storage;

import dev.ply.analysis.typing.MapContent;
import dev.ply.analysis.typing.MapSymbol;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.MapLayout;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.optimize.Pass;
import dev.ply.ir.declaration.MapDeclaration;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Chooses the storage of a script's maps. Aggregations are per CPU: exact without atomics where
 * programs exclude each other, and without shared cache lines. Where the CPU number is cheap, a
 * value with a slot per CPU is faster than a per-CPU map. Those that programs read are in plain
 * maps, with slots or shared by all CPUs.
 */
final class TableStorage {
  /** The size of a cache line in bytes. */
  private static final int CACHE_LINE = 64;

  /** The maximum size in bytes of all values of a slotted map. */
  private static final int MOST_SLOTTED = 8 << 20;

  /** The maximum number of slots of a hash map's values, which every key has. */
  private static final int MOST_SLOTS = 8;

  private final CompilerOptions options;
  private final int slots;

  /**
   * Creates the storage for a script.
   *
   * @param slots the number of slots per value, one for each possible CPU; 0 for per-CPU maps
   */
  TableStorage(CompilerOptions options, int slots) {
    this.options = options;
    this.slots = slots;
  }

  /**
   * Returns the storage of a map.
   *
   * @param keys all keys, if known; else empty
   */
  MapLayout of(MapSymbol symbol, List<ByteBuffer> keys) {
    int valueSize = valueSize(symbol.content());
    int keySize = symbol.keys().isEmpty() ? Integer.BYTES : symbol.keyType().size();
    int declared = symbol.declaration().map(MapDeclaration::entries).orElse(options.mapEntries());
    int entries = symbol.keys().isEmpty() ? 1 : declared;
    boolean evicts = symbol.declaration().filter(map -> map.kind().evicts()).isPresent();
    MapType plain = evicts ? MapType.LRU_HASH : MapType.HASH;
    if (symbol.content() instanceof MapContent.Plain) {
      return table(symbol, new BpfMap(symbol.name(), plain, keySize, valueSize, entries));
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
    if (!evicts && slots <= MOST_SLOTS && isSlotted(entries, valueSize)) {
      return table(
          symbol, BpfMap.slotted(symbol.name(), keySize, slotSize(valueSize), slots, entries));
    }
    // Programs see the accumulators of their own CPU only in a per-CPU map.
    MapType perCpu = evicts ? MapType.LRU_PERCPU_HASH : MapType.PERCPU_HASH;
    MapType type = symbol.valuesAreObserved() ? plain : perCpu;
    return table(symbol, new BpfMap(symbol.name(), type, keySize, valueSize, entries));
  }

  private static int valueSize(MapContent content) {
    return content instanceof MapContent.Aggregated aggregated
        ? aggregated.function().words(aggregated.shape()) * Long.BYTES
        : Math.max(content.type().size(), 1);
  }

  private static MapLayout table(MapSymbol symbol, BpfMap map) {
    return new MapLayout(symbol, map, List.of());
  }

  /** Returns an array with an element for each key. */
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
    // A power of two: programs shift their CPU's number.
    return slots == 1 ? valueSize : Math.max(Integer.highestOneBit(2 * valueSize - 1), CACHE_LINE);
  }
}
