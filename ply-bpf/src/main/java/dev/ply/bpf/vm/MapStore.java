package dev.ply.bpf.vm;

import com.google.common.primitives.Bytes;
import dev.ply.bpf.object.BpfMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a map: what programs see of them through helpers, and a tracer through the bpf
 * system call.
 *
 * <p>Lists of values have one element, or one for each CPU in per-CPU maps and where values have
 * slots. Byte arrays are copies in both directions. The public methods are for between runs.
 */
public abstract sealed class MapStore implements Store permits HashMapStore, ArrayMapStore {
  /** Flag of updates: creates or replaces. */
  static final long ANY = 0;

  /** Flag of updates: only creates. */
  static final long NO_EXIST = 1;

  /** Flag of updates: only replaces. */
  static final long EXIST = 2;

  private static final byte[][] NONE = new byte[0][];

  private final BpfMap map;
  private final int copies;
  private final MachineMemory memory;

  MapStore(BpfMap map, int cpus, MachineMemory memory) {
    this.map = map;
    this.copies = map.type().isPerCpu() ? cpus : 1;
    this.memory = memory;
  }

  /** Returns what the map was made from. */
  @Override
  public final BpfMap map() {
    return map;
  }

  /** Returns how many entries there are; arrays are always full. */
  public abstract int size();

  /**
   * Shows every entry to {@code visitor}: hash maps oldest first, arrays by index. The visitor may
   * remove and add entries.
   */
  public abstract void forEach(BiConsumer<byte[], List<byte[]>> visitor);

  /** Removes all entries; in arrays, zeroes them. */
  public abstract void clear();

  /** Returns the values under {@code key}. */
  public final Optional<List<byte[]>> lookup(byte[] key) {
    requireKey(key);
    if (find(key, 0) == null) {
      return Optional.empty();
    }
    List<byte[]> values = new ArrayList<>(copies);
    for (int cpu = 0; cpu < copies; cpu++) {
      Region region = find(key, cpu);
      if (region != null) {
        values.addAll(slots(region.bytes()));
      }
    }
    return Optional.of(values);
  }

  /**
   * Creates or replaces an entry.
   *
   * @throws IllegalStateException if the map is full, the array has no such index, or its content
   *     is fixed
   */
  public final void update(byte[] key, List<byte[]> values) {
    requireKey(key);
    if (map.content().isPresent()) {
      throw new IllegalStateException("the content of map " + map.name() + " is fixed");
    }
    int count = copies * map.slots();
    if (values.size() != count) {
      throw new IllegalArgumentException(
          "map " + map.name() + " has " + count + " values for a key, not " + values.size());
    }
    for (byte[] value : values) {
      if (value.length != map.slotSize()) {
        throw new IllegalArgumentException(
            "map "
                + map.name()
                + " has values of "
                + map.slotSize()
                + " bytes, not "
                + value.length);
      }
    }
    List<byte[]> whole = map.slots() == 1 ? values : List.of(Bytes.concat(values.toArray(NONE)));
    for (int cpu = 0; cpu < copies; cpu++) {
      if (store(key, cpu, whole.get(cpu), ANY) != 0) {
        throw new IllegalStateException(
            "map " + map.name() + " has no room beyond its " + map.maxEntries() + " entries");
      }
    }
  }

  private List<byte[]> slots(byte[] value) {
    List<byte[]> slots = new ArrayList<>(map.slots());
    for (int start = 0; start < value.length; start += map.slotSize()) {
      slots.add(Arrays.copyOfRange(value, start, start + map.slotSize()));
    }
    return slots;
  }

  /** Removes an entry and tells whether there was one; arrays keep theirs. */
  public final boolean delete(byte[] key) {
    requireKey(key);
    boolean deleted = remove(key) == 0;
    memory.endRun();
    return deleted;
  }

  /** Returns the value of {@code key} on {@code cpu}, or null. */
  abstract @Nullable Region find(byte[] key, int cpu);

  /** Stores a value for {@code cpu} as the helper does; returns 0 or a negative error number. */
  abstract int store(byte[] key, int cpu, byte[] value, long flags);

  /** Removes an entry as the helper does; returns 0 or a negative error number. */
  abstract int remove(byte[] key);

  final MachineMemory memory() {
    return memory;
  }

  /** Returns how many values each entry has. */
  final int copies() {
    return copies;
  }

  /** Returns which of an entry's values {@code cpu} uses. */
  final int copyOf(int cpu) {
    return copies == 1 ? 0 : cpu;
  }

  /** Returns a fresh value, zeroed unless its content is fixed. */
  final Region newValue() {
    return map.content()
        .map(content -> memory.map(Region.Kind.FIXED_VALUE, map.name(), content.bytes()))
        .orElseGet(() -> memory.map(Region.Kind.MAP_VALUE, map.name(), new byte[map.valueSize()]));
  }

  private void requireKey(byte[] key) {
    if (key.length != map.keySize()) {
      throw new IllegalArgumentException(
          "map " + map.name() + " has keys of " + map.keySize() + " bytes, not " + key.length);
    }
  }
}
