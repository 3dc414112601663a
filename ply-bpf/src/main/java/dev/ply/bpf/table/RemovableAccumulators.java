package dev.ply.bpf.table;

import dev.ply.bpf.machine.Machine;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.MapLayout;
import dev.ply.builtin.Merge;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Accumulators that are cleared by removing their entries: minima, maxima and series, which cannot
 * be subtracted.
 *
 * <p>An entry is read and removed in one step (Linux 5.14). Words that have changed since they were
 * shown are carried over. Lost are values between the two that are not extreme, and the value of a
 * program that holds the address of an entry while it is removed.
 */
final class RemovableAccumulators implements Accumulators {
  private final TableEntries entries;
  private final BpfMap map;
  private final Merge merge;
  private final Map<ByteBuffer, long[]> carried = new HashMap<>();
  private long clears;

  RemovableAccumulators(Machine machine, MapLayout layout) {
    this.entries = new TableEntries(machine, layout);
    this.map = layout.map();
    this.merge = layout.aggregated().function().merge(layout.aggregated().shape());
  }

  @Override
  public void forEach(Visitor visitor) {
    forEach(totals(), visitor);
  }

  @Override
  public void forEach(Totals totals, Visitor visitor) {
    totals.words().forEach(visitor::entry);
  }

  @Override
  public synchronized Totals totals() {
    Map<ByteBuffer, long[]> words = new HashMap<>(carried);
    entries.read((key, values) -> words.merge(copy(key), merged(values), merge::of));
    return new Totals(clears, words);
  }

  @Override
  public synchronized void clear(Optional<Totals> shown) {
    Optional<Totals> until = shown.filter(totals -> totals.clears() == clears);
    clears++;
    if (until.isEmpty()) {
      carried.clear();
      entries.clear();
      return;
    }
    Map<ByteBuffer, long[]> before = Map.copyOf(carried);
    carried.clear();
    List<ByteBuffer> keys = keys();
    for (ByteBuffer key : keys) {
      entries.take(key).ifPresent(last -> carry(key, merged(last), before, until.get()));
    }
  }

  /** Updates since the map was shown are lost. */
  @Override
  public synchronized void zero(Optional<Totals> shown) {
    clears++;
    carried.clear();
    entries.zero();
  }

  /** Keeps the words of a removed entry that have changed since they were shown. */
  private void carry(
      ByteBuffer key, long[] last, Map<ByteBuffer, long[]> carriedBefore, Totals shown) {
    long[] earlier = carriedBefore.get(key);
    long[] words = earlier == null ? last : merge.of(earlier, last);
    long[] before = shown.words().get(key);
    long[] changed = before == null ? words : merge.since(words, before);
    if (Arrays.stream(changed).anyMatch(word -> word != 0)) {
      carried.put(key, changed);
    }
  }

  private List<ByteBuffer> keys() {
    List<ByteBuffer> keys = new ArrayList<>();
    entries.read((key, values) -> keys.add(copy(key)));
    return keys;
  }

  private static ByteBuffer copy(ByteBuffer key) {
    ByteBuffer copy = ByteBuffer.allocate(key.capacity()).order(key.order());
    return copy.put(0, key, 0, key.capacity());
  }

  private long[] merged(List<ByteBuffer> values) {
    long[] words = new long[map.slotSize() / Long.BYTES];
    for (ByteBuffer value : values) {
      long[] one = new long[words.length];
      Arrays.setAll(one, i -> value.getLong(i * Long.BYTES));
      words = merge.of(words, one);
    }
    return words;
  }
}
