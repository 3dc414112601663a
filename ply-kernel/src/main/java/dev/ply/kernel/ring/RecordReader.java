package dev.ply.kernel.ring;

import dev.ply.bpf.session.Machine;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The protocol between programs and reader in the shared memory (kernel/bpf/ringbuf.c). Both sides
 * have a position that only grows; a record is a header of 8 bytes and its content, rounded up to
 * 8. The header's length has two flags: a busy record is still being written and stops the reader,
 * a discarded one is skipped.
 *
 * <p>Positions and headers are aligned, so that a plain access moves them in one piece; fences give
 * their order. (Handles of variables would say the same, and cost 10 ms of each start.)
 */
final class RecordReader {
  private static final int HEADER_BYTES = 8;
  private static final int BUSY = 1 << 31;
  private static final int DISCARDED = 1 << 30;

  /** Which part of the buffer is read before its memory is given back. */
  private static final int PARTS = 32;

  private final ByteBuffer consumer;
  private final ByteBuffer producer;
  private final ByteBuffer memory;
  private final int dataOffset;
  private final int mask;

  /**
   * @param consumer the page with the reader's position
   * @param producer the page with the programs' position and behind it, twice, the data
   * @param size bytes of data, a power of two
   */
  RecordReader(ByteBuffer consumer, ByteBuffer producer, int pageSize, int size) {
    this.consumer = consumer;
    this.producer = producer;
    this.memory = producer.asReadOnlyBuffer().order(ByteOrder.nativeOrder());
    this.dataOffset = pageSize;
    this.mask = size - 1;
  }

  /** Hands over the finished records that were there when it began, and returns how many. */
  int read(Machine.RecordHandler handler) {
    int records = 0;
    long released = consumer.getLong(0);
    long position = released;
    long end = producerPosition();
    try {
      while (position < end) {
        int header = dataOffset + (int) (position & mask);
        int length = memory.getInt(header);
        // What follows is read after the header, as programs wrote it before.
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

  /** Lets programs write over what stands before {@code position}. */
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
