package dev.ply.bpf.vm.map;

import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.vm.memory.MachineMemory;
import dev.ply.bpf.vm.memory.Region;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A hash map, plain or per-CPU.
 *
 * <p>Updates overwrite values in place, where the kernel replaces those of plain maps. The memory
 * of deleted entries stays readable until the run ends, as under RCU. The oldest entry is evicted
 * where the kernel chooses one that has not been used for long.
 */
public final class HashMapStore extends MapStore {
  /** A key, compared by its bytes. */
  private static final class Key {
    private final byte[] bytes;

    Key(byte[] bytes) {
      this.bytes = bytes;
    }

    byte[] bytes() {
      return bytes;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }
  }

  private final Map<Key, Region[]> entries = new LinkedHashMap<>();

  HashMapStore(BpfMap map, int cpus, MachineMemory memory) {
    super(map, cpus, memory);
  }

  @Override
  public int size() {
    return entries.size();
  }

  @Override
  public void forEach(BiConsumer<byte[], List<byte[]>> visitor) {
    for (Key key : List.copyOf(entries.keySet())) {
      lookup(key.bytes()).ifPresent(values -> visitor.accept(key.bytes().clone(), values));
    }
  }

  @Override
  public void clear() {
    for (Key key : List.copyOf(entries.keySet())) {
      remove(key.bytes());
    }
    memory().endRun();
  }

  @Override
  public @Nullable Region find(byte[] key, int cpu) {
    Region[] values = entries.get(new Key(key));
    return values == null ? null : values[copyOf(cpu)];
  }

  @Override
  public int store(byte[] key, int cpu, byte[] value, long flags) {
    if (Long.compareUnsigned(flags, EXIST) > 0) {
      return -HelperError.EINVAL;
    }
    Key wrapped = new Key(key.clone());
    Region[] values = entries.get(wrapped);
    if (values != null && flags == NO_EXIST) {
      return -HelperError.EEXIST;
    }
    if (values == null && flags == EXIST) {
      return -HelperError.ENOENT;
    }
    if (values == null) {
      if (entries.size() >= map().maxEntries()) {
        if (!map().type().evicts()) {
          return -HelperError.E2BIG;
        }
        int unused = remove(entries.keySet().iterator().next().bytes());
      }
      values = new Region[copies()];
      for (int i = 0; i < values.length; i++) {
        values[i] = newValue();
      }
      entries.put(wrapped, values);
    }
    System.arraycopy(value, 0, values[copyOf(cpu)].bytes(), 0, value.length);
    return 0;
  }

  @Override
  public int remove(byte[] key) {
    Region[] values = entries.remove(new Key(key));
    if (values == null) {
      return -HelperError.ENOENT;
    }
    for (Region value : values) {
      memory().freeAfterRun(value);
    }
    return 0;
  }
}
