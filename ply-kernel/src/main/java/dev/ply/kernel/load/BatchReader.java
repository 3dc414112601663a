package dev.ply.kernel.load;

import dev.ply.bpf.object.BpfMap;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.sys.BpfAttr;
import dev.ply.kernel.sys.BpfCommand;
import dev.ply.kernel.sys.NativeMemory;
import dev.ply.kernel.sys.SystemCalls;
import dev.ply.name.Errno;

/**
 * Reads a map's entries in batches. Requires Linux 5.6, later for some map types; unsupported maps
 * are reported before the first entry.
 */
final class BatchReader {
  private static final int BATCH_BYTES = 256 * 1024;

  private final BpfMap map;
  private final int descriptor;
  private final MapMemory memory;
  private final NativeMemory cursor;
  private int capacity;
  private NativeMemory keys = NativeMemory.allocate(0);
  private NativeMemory values = NativeMemory.allocate(0);
  private boolean allocated;

  BatchReader(BpfMap map, int descriptor, MapMemory memory) {
    this.map = map;
    this.descriptor = descriptor;
    this.memory = memory;
    // Hash maps store a 32-bit bucket number in the cursor, arrays a key.
    this.cursor = NativeMemory.allocate(Math.max(Integer.BYTES, memory.keySize()));
    int entryBytes = memory.keySize() + memory.entryValueSize();
    this.capacity = Math.min(map.maxEntries(), Math.max(16, BATCH_BYTES / entryBytes));
  }

  /**
   * Passes all entries to {@code handler}.
   *
   * @param command a lookup, or a lookup and delete
   * @return false if this kernel has no batches for the map, before any entry
   */
  boolean read(BpfCommand command, EntryHandler handler) {
    allocate();
    boolean started = false;
    while (true) {
      BpfAttr attr =
          started
              ? BpfAttr.nextBatch(descriptor, cursor, keys, values)
              : BpfAttr.firstBatch(descriptor, cursor, keys, values);
      Errno errno = SystemCalls.tryBpf(command, attr.batchCount(capacity));
      if (errno == Errno.ENOSPC) {
        // A bucket has more entries than the batch; the cursor stays before it.
        capacity *= 2;
        allocated = false;
        allocate();
        continue;
      }
      if (errno == Errno.EINTR || errno == Errno.EAGAIN) {
        continue;
      }
      if (errno.isUnsupported() && !started) {
        return false;
      }
      if (!errno.isSuccess() && errno != Errno.ENOENT) {
        throw new KernelException(errno, "bpf(" + command + ") of map \"" + map.name() + "\"");
      }
      for (int i = 0; i < attr.batchCount(); i++) {
        memory.hand(keys, values, i, handler);
      }
      if (errno == Errno.ENOENT) {
        return true;
      }
      started = true;
    }
  }

  private void allocate() {
    if (!allocated) {
      keys = NativeMemory.allocate(capacity * memory.keySize());
      values = NativeMemory.allocate(capacity * memory.entryValueSize());
      allocated = true;
    }
  }
}
