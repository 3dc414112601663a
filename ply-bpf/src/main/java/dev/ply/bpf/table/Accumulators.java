package dev.ply.bpf.table;

import dev.ply.bpf.machine.Machine;
import dev.ply.bpf.object.MapLayout;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;

/**
 * The accumulators of an aggregation since it was last cleared: 64-bit words under each key, merged
 * over all CPUs. Programs can update the map concurrently. Thread-safe.
 */
interface Accumulators {
  /** Receives an entry; both are valid during the call only. */
  @FunctionalInterface
  interface Visitor {
    /** Receives a key and its words, merged over all CPUs. */
    void entry(ByteBuffer key, long[] words);
  }

  /**
   * A snapshot.
   *
   * @param clears how often the map had been cleared
   */
  record Totals(long clears, Map<ByteBuffer, long[]> words) {}

  /** Returns the accumulators of a map that aggregates. */
  static Accumulators of(Machine machine, MapLayout layout) {
    return layout.removesToClear()
        ? new RemovableAccumulators(machine, layout)
        : new ClearableCounters(machine, layout);
  }

  /** Visits all accumulators with updates since the last clear. */
  void forEach(Visitor visitor);

  /** Visits those of {@code totals} that have not been cleared since. */
  void forEach(Totals totals, Visitor visitor);

  /** Returns a snapshot. */
  Totals totals();

  /**
   * Sets all words to zero, as {@link #clear} does for those of {@code shown}; entries that
   * programs can observe stay.
   */
  default void zero(Optional<Totals> shown) {
    clear(shown);
  }

  /** Clears all updates so far; those of {@code shown} if there has been no clear since. */
  void clear(Optional<Totals> shown);
}
