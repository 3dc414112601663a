package dev.ply.bpf.table;

import dev.ply.bpf.machine.Machine;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.MapLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The counters of an aggregation since it was last cleared: 64-bit words under each key.
 *
 * <p>Programs update the map while it is read and cleared; removing entries would lose updates in
 * between, and those of programs that hold the address of an entry. So counters keep counting, and
 * their values at the last clear are subtracted. Only keys without updates between two clears are
 * removed, once the map fills up; an update at that moment is carried over. Thread-safe.
 */
final class ClearableCounters implements Accumulators {
  private final TableEntries entries;
  private final BpfMap map;
  private final List<ByteBuffer> places;
  private Map<ByteBuffer, long[]> cleared = Map.of();
  private final Map<ByteBuffer, long[]> carried = new HashMap<>();
  private long clears;

  ClearableCounters(Machine machine, MapLayout layout) {
    this.entries = new TableEntries(machine, layout);
    this.map = layout.map();
    this.places = layout.keys();
  }

  @Override
  public synchronized void forEach(Visitor visitor) {
    long[] counters = new long[map.slotSize() / Long.BYTES];
    Map<ByteBuffer, long[]> missing = new HashMap<>(carried);
    read(
        (key, values) -> {
          add(values, counters);
          missing.remove(key);
          hand(key, counters, visitor);
        });
    missing.forEach((key, added) -> hand(key, new long[added.length], visitor));
  }

  @Override
  public synchronized void forEach(Totals totals, Visitor visitor) {
    Map<ByteBuffer, long[]> missing = new HashMap<>(carried);
    totals
        .words()
        .forEach(
            (key, counters) -> {
              missing.remove(key);
              hand(key, counters.clone(), visitor);
            });
    missing.forEach((key, added) -> hand(key, new long[added.length], visitor));
  }

  private void read(Machine.EntryHandler handler) {
    if (places.isEmpty()) {
      entries.read(handler);
      return;
    }
    int placesPerEntry = places.size() / map.maxEntries();
    entries.read(
        (index, values) -> {
          int first = index.getInt(0) * placesPerEntry;
          int length = values.size() / placesPerEntry;
          for (int i = 0; i < placesPerEntry; i++) {
            handler.entry(places.get(first + i), values.subList(i * length, (i + 1) * length));
          }
        });
  }

  private void hand(ByteBuffer key, long[] counters, Visitor visitor) {
    long[] less = cleared.get(key);
    long[] more = carried.get(key);
    boolean any = less == null;
    for (int i = 0; i < counters.length; i++) {
      counters[i] += (more == null ? 0 : more[i]) - (less == null ? 0 : less[i]);
      any |= counters[i] != 0;
    }
    if (any) {
      visitor.entry(key, counters);
    }
  }

  @Override
  public synchronized Totals totals() {
    Map<ByteBuffer, long[]> counters = new HashMap<>();
    read(
        (key, values) -> {
          long[] sums = new long[map.slotSize() / Long.BYTES];
          add(values, sums);
          ByteBuffer copy = ByteBuffer.allocate(key.capacity()).order(key.order());
          counters.put(copy.put(0, key, 0, key.capacity()), sums);
        });
    return new Totals(clears, counters);
  }

  private static void add(List<ByteBuffer> values, long[] sums) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] = 0;
      for (ByteBuffer value : values) {
        sums[i] += value.getLong(i * Long.BYTES);
      }
    }
  }

  @Override
  public synchronized void clear(Optional<Totals> shown) {
    Totals until = shown.filter(totals -> totals.clears() == clears).orElseGet(this::totals);
    Map<ByteBuffer, long[]> before = cleared;
    cleared = until.words();
    carried.clear();
    clears++;
    if (map.type().canRemove() && cleared.size() > map.maxEntries() / 2) {
      cleared.entrySet().stream()
          .filter(entry -> Arrays.equals(entry.getValue(), before.get(entry.getKey())))
          .map(Map.Entry::getKey)
          .toList()
          .forEach(this::remove);
    }
  }

  private void remove(ByteBuffer key) {
    Optional<List<ByteBuffer>> last = entries.take(key);
    long[] known = cleared.remove(key);
    if (last.isEmpty() || known == null) {
      return;
    }
    long[] more = new long[known.length];
    add(last.get(), more);
    boolean any = false;
    for (int i = 0; i < more.length; i++) {
      more[i] -= known[i];
      any |= more[i] != 0;
    }
    if (any) {
      carried.put(key, more);
    }
  }
}
