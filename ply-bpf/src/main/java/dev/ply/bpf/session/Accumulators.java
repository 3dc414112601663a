package dev.ply.bpf.session;

import dev.ply.bpf.object.MapLayout;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;

/**
 * What an aggregation has accumulated since it was last cleared: 64-bit words under each key,
 * merged over all CPUs. Programs go on while the map is read and cleared. Thread-safe.
 */
interface Accumulators {
  /** Receives an entry; both are valid during the call only. */
  @FunctionalInterface
  interface Visitor {
    /** Receives a key and its words, merged over all CPUs. */
    void entry(ByteBuffer key, long[] words);
  }

  /**
   * Words at one moment.
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

  /** Hands over what was accumulated; keys that nothing was accumulated for since are left out. */
  void forEach(Visitor visitor);

  /** Hands over what {@code totals} has that was not cleared before. */
  void forEach(Totals totals, Visitor visitor);

  /** Returns the words as they are now. */
  Totals totals();

  /** Clears what was accumulated until now, or until {@code shown} if nothing was cleared since. */
  void clear(Optional<Totals> shown);
}
