package dev.ply.bpf.vm.map;

import static dev.ply.bpf.vm.memory.VmFault.Kind.READ_ONLY;

import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.vm.memory.MachineMemory;
import dev.ply.bpf.vm.memory.Region;
import dev.ply.bpf.vm.memory.VmFault;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** An array map, plain or per-CPU, with zeroed entries. */
public final class ArrayMapStore extends MapStore {
  // Indexed by entry * copies + copy; null until first used.
  private final @Nullable Region[] values;

  ArrayMapStore(BpfMap map, int cpus, MachineMemory memory) {
    super(map, cpus, memory);
    if (map.keySize() != Integer.BYTES) {
      throw new IllegalArgumentException(
          "array " + map.name() + " has keys of 4 bytes, not " + map.keySize());
    }
    values = new @Nullable Region[Math.multiplyExact(map.maxEntries(), copies())];
  }

  @Override
  public int size() {
    return map().maxEntries();
  }

  @Override
  public void forEach(BiConsumer<byte[], List<byte[]>> visitor) {
    for (int index = 0; index < map().maxEntries(); index++) {
      byte[] key =
          ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(index).array();
      lookup(key).ifPresent(found -> visitor.accept(key, found));
    }
  }

  @Override
  public void clear() {
    for (Region value : values) {
      if (value != null && value.isWritable()) {
        Arrays.fill(value.bytes(), (byte) 0);
      }
    }
  }

  @Override
  public @Nullable Region find(byte[] key, int cpu) {
    int index = index(key);
    if (Integer.compareUnsigned(index, map().maxEntries()) >= 0) {
      return null;
    }
    int slot = index * copies() + copyOf(cpu);
    Region value = values[slot];
    if (value == null) {
      value = newValue();
      values[slot] = value;
    }
    return value;
  }

  @Override
  public int store(byte[] key, int cpu, byte[] value, long flags) {
    if (Long.compareUnsigned(flags, EXIST) > 0) {
      return -HelperError.EINVAL;
    }
    Region region = find(key, cpu);
    if (region == null) {
      return -HelperError.E2BIG;
    }
    if (flags == NO_EXIST) {
      return -HelperError.EEXIST;
    }
    if (!region.isWritable()) {
      throw new VmFault(READ_ONLY, "updates map " + map().name() + ", which is frozen");
    }
    System.arraycopy(value, 0, region.bytes(), 0, value.length);
    return 0;
  }

  @Override
  public int remove(byte[] key) {
    return -HelperError.EINVAL;
  }

  private static int index(byte[] key) {
    return ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN).getInt();
  }
}
