package dev.ply.kernel.load;

import dev.ply.bpf.object.BpfMap;
import dev.ply.kernel.sys.CpuSet;
import dev.ply.kernel.sys.NativeMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory layout of a map's entries for bpf(2), and the buffers passed to handlers. A per-CPU
 * value occupies a multiple of 8 bytes for each possible CPU, a slotted value all its slots.
 */
final class MapMemory {
  private final int keySize;
  private final int valueStride;
  private final ByteBuffer key;
  private final List<ByteBuffer> values;

  private MapMemory(BpfMap map, int valueStride, int valuesPerEntry) {
    this.keySize = map.keySize();
    this.valueStride = valueStride;
    this.key = buffer(map.keySize());
    List<ByteBuffer> buffers = new ArrayList<>(valuesPerEntry);
    for (int i = 0; i < valuesPerEntry; i++) {
      buffers.add(buffer(map.slotSize()));
    }
    this.values = List.copyOf(buffers);
  }

  static MapMemory of(BpfMap map) {
    return map.type().isPerCpu()
        ? new MapMemory(map, (map.valueSize() + 7) & -8, CpuSet.possible().count())
        : new MapMemory(map, map.slotSize(), map.slots());
  }

  int keySize() {
    return keySize;
  }

  int valueStride() {
    return valueStride;
  }

  int valuesPerEntry() {
    return values.size();
  }

  /** Returns the size in bytes of all values of an entry. */
  int entryValueSize() {
    return valueStride * values.size();
  }

  /** Passes entry {@code index} of a batch to the handler. */
  void hand(NativeMemory keys, NativeMemory valuesOfAll, int index, EntryHandler handler) {
    key.clear().put(0, keys.bytes(), index * keySize, keySize);
    int offset = index * entryValueSize();
    for (ByteBuffer value : values) {
      value.clear().put(0, valuesOfAll.bytes(), offset, value.capacity());
      offset += valueStride;
    }
    handler.entry(key, values);
  }

  private static ByteBuffer buffer(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.nativeOrder());
  }
}
