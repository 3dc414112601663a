package dev.ply.kernel.ring;

import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.sys.MappedMemory;
import dev.ply.kernel.sys.SystemCalls;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The reading end of a perf event's ring buffer (struct perf_event_mmap_page of
 * include/uapi/linux/perf_event.h). The kernel drops records while the buffer is full, and later
 * adds a record with their number. Thread-safe.
 */
public final class PerfRing implements AutoCloseable {
  private static final int DATA_HEAD = 1024;
  private static final int DATA_TAIL = 1032;

  private final MappedMemory mapped;
  private final ByteBuffer memory;
  private final int dataOffset;
  private final int size;
  private boolean closed;

  private PerfRing(MappedMemory mapped, int dataOffset, int size) {
    this.mapped = mapped;
    this.memory = mapped.bytes();
    this.dataOffset = dataOffset;
    this.size = size;
  }

  /**
   * Maps the buffer of an event into this process.
   *
   * @param size in bytes, a power of two and at least a page
   * @throws dev.ply.kernel.error.KernelException if the kernel refuses
   */
  public static PerfRing open(FileDescriptor event, int size) {
    int page = SystemCalls.pageSize();
    return new PerfRing(
        SystemCalls.mapWritable(event.number(), 0, page + (long) size, "buffer of " + event),
        page,
        size);
  }

  /** Returns a copy of the records since the last call, in native byte order. */
  public synchronized ByteBuffer take() {
    if (closed) {
      return ByteBuffer.allocate(0);
    }
    long head = memory.getLong(DATA_HEAD);
    // Records are read after the position that completes them.
    VarHandle.acquireFence();
    long tail = memory.getLong(DATA_TAIL);
    byte[] records = new byte[(int) Math.min(head - tail, size)];
    int start = (int) (tail & size - 1);
    int first = Math.min(records.length, size - start);
    memory.get(dataOffset + start, records, 0, first);
    memory.get(dataOffset, records, first, records.length - first);
    VarHandle.releaseFence();
    memory.putLong(DATA_TAIL, head);
    return ByteBuffer.wrap(records).order(ByteOrder.nativeOrder());
  }

  /** Returns whether there is no record since the last {@link #take}. */
  public synchronized boolean isEmpty() {
    return closed || memory.getLong(DATA_HEAD) == memory.getLong(DATA_TAIL);
  }

  /** Unmaps the buffer; there are no further records. */
  @Override
  public synchronized void close() {
    closed = true;
    mapped.close();
  }
}
