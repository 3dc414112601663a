package dev.ply.bpf.unwind;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The content of {@link UnwindMaps}: tables that several processes have mapped are there once.
 * Little-endian. Not thread-safe.
 */
public final class UnwindImage {
  private final IdentityHashMap<UnwindTable, Integer> first = new IdentityHashMap<>();
  private final List<byte[]> chunks = new ArrayList<>();
  private final Map<Integer, byte[]> processes = new LinkedHashMap<>();
  private int rows;

  /**
   * Adds a process. Of more mappings than fit, those at the lowest addresses are kept; tables that
   * no longer fit are left out, so that walks end there.
   */
  public void add(int process, List<MappedCode> mappings) {
    List<MappedCode> kept =
        mappings.stream()
            .sorted(Comparator.comparing(MappedCode::start, Long::compareUnsigned))
            .limit(UnwindMaps.MOST_MAPPINGS)
            .toList();
    byte[] bytes =
        new byte[UnwindMaps.MAPPINGS + UnwindMaps.MOST_MAPPINGS * UnwindMaps.MAPPING_SIZE];
    ByteBuffer value = littleEndian(bytes);
    int at = UnwindMaps.MAPPINGS;
    int count = 0;
    for (MappedCode code : kept) {
      if (code.table().isPresent() && !hasRoom(code.table().get())) {
        continue;
      }
      value.putLong(at + UnwindMaps.START, code.start());
      value.putLong(at + UnwindMaps.END, code.end());
      if (code.table().isPresent()) {
        UnwindTable table = code.table().get();
        value.putLong(at + UnwindMaps.BASE, code.bias() + table.base());
        value.putInt(at + UnwindMaps.FIRST, first(table));
        value.putInt(at + UnwindMaps.COUNT, table.size());
      }
      at += UnwindMaps.MAPPING_SIZE;
      count++;
    }
    value.putInt(0, count);
    processes.put(process, bytes);
  }

  /** Returns the values of {@link UnwindMaps#PROCESSES}, by process. */
  public Map<Integer, byte[]> processes() {
    return Map.copyOf(processes);
  }

  /** Returns the values of {@link UnwindMaps#ROWS}. */
  public List<byte[]> chunks() {
    return List.copyOf(chunks);
  }

  /** Returns the sizes of maps that hold this content. */
  public UnwindSizes sizes() {
    return new UnwindSizes(Math.max(1, processes.size()), Math.max(1, chunks.size()));
  }

  private boolean hasRoom(UnwindTable table) {
    // A table without rows would be one to walk by frame pointers.
    return table.size() > 0
        && (first.containsKey(table) || table.size() <= UnwindMaps.MOST_ROWS - rows);
  }

  private int first(UnwindTable table) {
    if (!first.containsKey(table)) {
      first.put(table, rows);
      for (int i = 0; i < table.size(); i++) {
        int inChunk = rows % UnwindMaps.CHUNK_ROWS;
        if (inChunk == 0) {
          chunks.add(new byte[UnwindMaps.CHUNK_ROWS * Long.BYTES]);
        }
        littleEndian(chunks.get(chunks.size() - 1)).putLong(inChunk * Long.BYTES, table.row(i));
        rows++;
      }
    }
    return Objects.requireNonNull(first.get(table));
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
