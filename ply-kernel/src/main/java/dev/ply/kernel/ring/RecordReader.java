package dev.ply.kernel.ring;

import dev.ply.bpf.machine.Machine;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The shared-memory protocol between programs and reader (kernel/bpf/ringbuf.c). Both positions
 * only grow; a record is an 8-byte header and its data, rounded up to 8. Two flags in the header's
 * length: a busy record is still being written and stops the reader, a discarded one is skipped.
 *
 * <p>Positions and headers are aligned, so plain accesses are atomic; fences order them.
 * (VarHandles would do the same, and cost 10 ms of each startup.)
 */
final class RecordReader {
  private static final int HEADER_BYTES = 8;
  private static final int BUSY = 1 << 31;
  private static final int DISCARDED = 1 << 30;

  /** The fraction of the buffer that is read before its memory is released. */
  private static final int PARTS = 32;

  private final ByteBuffer consumer;
  private final ByteBuffer producer;
  private final ByteBuffer memory;
  private final int dataOffset;
  private final int mask;

  /**
   * @param consumer the page with the reader's position
   * @param producer the page with the programs' position, followed by the data, mapped twice
   * @param size bytes of data, a power of two
   */
  RecordReader(ByteBuffer consumer, ByteBuffer producer, int pageSize, int size) {
    this.consumer = consumer;
    this.producer = producer;
    this.memory = producer.asReadOnlyBuffer().order(ByteOrder.nativeOrder());
    this.dataOffset = pageSize;
    this.mask = size - 1;
  }

  /** Passes on the records finished before the call, and returns their number. */
  int read(Machine.RecordHandler handler) {
    int records = 0;
    long released = consumer.getLong(0);
    long position = released;
    long end = producerPosition();
    try {
      while (position < end) {
        int header = dataOffset + (int) (position & mask);
        int length = memory.getInt(header);
        // The data is read after the header, in the reverse order of writing.
        VarHandle.acquireFence();
        if ((length & BUSY) != 0) {
          break;
        }
        int bytes = length & ~DISCARDED;
        position += (HEADER_BYTES + bytes + 7L) & -8L;
        if ((length & DISCARDED) == 0) {
          records++;
          handler.record(memory, header + HEADER_BYTES, bytes);
        }
        if (position - released > mask / PARTS) {
          release(position);
          released = position;
        }
      }
    } finally {
      release(position);
    }
    return records;
  }

  /** Releases the memory before {@code position} to programs. */
  private void release(long position) {
    VarHandle.releaseFence();
    consumer.putLong(0, position);
  }

  private long producerPosition() {
    long position = producer.getLong(0);
    VarHandle.acquireFence();
    return position;
  }

  long availableBytes() {
    return producerPosition() - consumer.getLong(0);
  }
}
