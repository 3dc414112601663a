package dev.ply.bpf.object;

import dev.ply.analysis.typing.MapContent;
import dev.ply.analysis.typing.MapSymbol;
import dev.ply.builtin.aggregate.AggregateFunctions;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * A script's map and the BPF map that stores it.
 *
 * @param symbol the map of the script
 * @param keys all keys of the map as bytes, read-only, if known at compile time: then the map is an
 *     array, and key n has element n of a per-CPU array, or the slots from n times the slots per
 *     key in the only element of a plain one. Empty if keys are looked up
 * @param shared where its entries are, if a map is shared with other tables; then {@code map} has
 *     the table's own sizes and does not exist
 */
@SuppressWarnings("exports") // parts of it are for the other modules
public record MapLayout(
    MapSymbol symbol, BpfMap map, List<ByteBuffer> keys, Optional<SharedPlace> shared) {
  /** Copies the keys. */
  public MapLayout {
    keys = List.copyOf(keys);
  }

  /**
   * A table in a map of its own.
   *
   * @param symbol the map of the script
   * @param keys all keys, if known
   */
  public MapLayout(MapSymbol symbol, BpfMap map, List<ByteBuffer> keys) {
    this(symbol, map, keys, Optional.empty());
  }

  /** {@return the map that has the entries: its own or the shared one} */
  public BpfMap stored() {
    return shared.map(SharedPlace::map).orElse(map);
  }

  /** {@return this table in a map that others share} */
  public MapLayout in(SharedPlace place) {
    return new MapLayout(symbol, map, keys, Optional.of(place));
  }

  /**
   * {@return the content of an aggregating map}
   *
   * @throws ClassCastException if it does not aggregate
   */
  public MapContent.Aggregated aggregated() {
    return (MapContent.Aggregated) symbol.content();
  }

  /** {@return whether the map is cleared by removing entries, which arrays cannot} */
  public boolean removesToClear() {
    return removesToClear(symbol);
  }

  /**
   * {@return {@link #removesToClear()} regardless of storage: extremes and series cannot be cleared
   * by subtraction, programs can observe keys, and an evicted key starts from zero}
   *
   * @param symbol the map of the script
   */
  public static boolean removesToClear(MapSymbol symbol) {
    return symbol.content() instanceof MapContent.Aggregated aggregated
        && (symbol.keysAreObserved()
            || !aggregated.function().merge(aggregated.shape()).canSubtract()
            || symbol.declaration().filter(map -> map.kind().evicts()).isPresent());
  }

  /**
   * {@return whether a sum has a second word, which is 1 after any update} In a hash map the
   * presence of the key tells as much; a fixed key is always present.
   */
  public boolean marksUpdates() {
    return !keys.isEmpty() && marksUpdates(symbol);
  }

  /**
   * {@return {@link #marksUpdates()} for maps with known keys; not for sums without keys}
   *
   * @param symbol the map of the script
   */
  public static boolean marksUpdates(MapSymbol symbol) {
    return symbol.content() instanceof MapContent.Aggregated aggregated
        && aggregated.function() == AggregateFunctions.SUM
        && !symbol.keys().isEmpty();
  }
}
