package dev.ply.bpf.vm.map;

import com.google.common.primitives.Bytes;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.vm.memory.MachineMemory;
import dev.ply.bpf.vm.memory.Region;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A hash or array map, with the operations of helpers and of the bpf system call.
 *
 * <p>Lists of values have one element per CPU in per-CPU maps and one per slot in maps with slots.
 * Byte arrays are copied. Public methods must not be called during a run.
 */
public abstract sealed class MapStore implements Store permits HashMapStore, ArrayMapStore {
  /** BPF_ANY: create or update. */
  static final long ANY = 0;

  /** BPF_NOEXIST: create only. */
  static final long NO_EXIST = 1;

  /** BPF_EXIST: update only. */
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

  /** Returns the definition of the map. */
  @Override
  public final BpfMap map() {
    return map;
  }

  /** {@return the number of entries; for arrays, always the maximum} */
  public abstract int size();

  /**
   * Visits every entry: hash maps in order of insertion, arrays by index. The visitor may add and
   * remove entries.
   *
   * @param visitor the operation, with a method for each kind
   */
  public abstract void forEach(BiConsumer<byte[], List<byte[]>> visitor);

  /** Removes all entries; in arrays, zeroes them. */
  public abstract void clear();

  /**
   * {@return the values of {@code key}, if present}
   *
   * @param key of the map's key size
   */
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
   * Creates or updates an entry.
   *
   * @param key of the map's key size
   * @param values one for each CPU in per-CPU maps, else one
   * @throws IllegalStateException if the map is full or frozen, or the index out of range
   */
  public final void update(byte[] key, List<byte[]> values) {
    requireKey(key);
    if (map.content().isPresent()) {
      throw new IllegalStateException("map " + map.name() + " is frozen");
    }
    int count = copies * map.slots();
    if (values.size() != count) {
      throw new IllegalArgumentException(
          "map " + map.name() + " has " + count + " values per key, not " + values.size());
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
            "map " + map.name() + " is full: it holds " + map.maxEntries() + " entries");
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

  /**
   * Deletes an entry; returns false if missing, and for arrays.
   *
   * @param key of the map's key size
   */
  public final boolean delete(byte[] key) {
    requireKey(key);
    boolean deleted = remove(key) == 0;
    memory.endRun();
    return deleted;
  }

  /** Returns the value of {@code key} on {@code cpu}, or null. */
  public abstract @Nullable Region find(byte[] key, int cpu);

  /** Implements bpf_map_update_elem for {@code cpu}; returns 0 or a negative errno. */
  public abstract int store(byte[] key, int cpu, byte[] value, long flags);

  /** Implements bpf_map_delete_elem; returns 0 or a negative errno. */
  public abstract int remove(byte[] key);

  final MachineMemory memory() {
    return memory;
  }

  /** Returns the number of values per entry: CPUs in per-CPU maps, else 1. */
  public final int copies() {
    return copies;
  }

  /** Returns the index of the value that {@code cpu} uses. */
  final int copyOf(int cpu) {
    return copies == 1 ? 0 : cpu;
  }

  /** Allocates a value: zeroed, or with the content of a frozen map. */
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
