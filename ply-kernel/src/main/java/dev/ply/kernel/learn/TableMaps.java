package dev.ply.kernel.learn;

import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.unwind.UnwindMaps;
import dev.ply.bpf.unwind.UnwindMemory;
import dev.ply.kernel.load.CloseAll;
import dev.ply.kernel.load.LoadedMap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes unwind tables into a trace's maps in the kernel. Memory is created when it is used. */
final class TableMaps implements UnwindMemory.Writer, AutoCloseable {
  private final LoadedMap processes;
  private final LoadedMap memory;
  private final BpfMap slab;
  private final Map<Integer, LoadedMap> slabs = new LinkedHashMap<>();

  TableMaps(LoadedMap processes, LoadedMap memory) {
    this.processes = processes;
    this.memory = memory;
    this.slab = memory.map().inner().orElseThrow();
  }

  @Override
  public void chunk(int number, byte[] content) {
    slabs
        .computeIfAbsent(number / UnwindMaps.SLAB_CHUNKS, this::newSlab)
        .update(
            key(number % UnwindMaps.SLAB_CHUNKS), Arrays.copyOf(content, UnwindMaps.CHUNK_BYTES));
  }

  private LoadedMap newSlab(int index) {
    LoadedMap created = LoadedMap.create(slab);
    memory.update(key(index), key(created.descriptor()));
    return created;
  }

  @Override
  public void process(int process, byte[] value) {
    processes.update(key(process), value);
  }

  @Override
  public void remove(int process) {
    processes.delete(key(process));
  }

  static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder()).putInt(number).array();
  }

  @Override
  public void close() {
    CloseAll.of(List.copyOf(slabs.values()));
  }
}
