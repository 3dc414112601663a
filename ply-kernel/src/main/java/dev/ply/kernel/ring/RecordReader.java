package dev.ply.kernel.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The protocol between programs and reader in the shared memory (kernel/bpf/ringbuf.c). Both sides
 * have a position that only grows; a record is a header of 8 bytes and its content, rounded up to
 * 8. The header's length has two flags: a busy record is still being written and stops the reader,
 * a discarded one is skipped.
 */
final class RecordReader {
  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private static final int HEADER_BYTES = 8;
  private static final int BUSY = 1 << 31;
  private static final int DISCARDED = 1 << 30;

  private final ByteBuffer consumer;
  private final ByteBuffer producer;
  private final ByteBuffer record;
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
    this.record = producer.asReadOnlyBuffer().order(ByteOrder.nativeOrder());
    this.dataOffset = pageSize;
    this.mask = size - 1;
  }

  /** Hands over all finished records and returns how many. */
  int read(RecordHandler handler) {
    int records = 0;
    long position = (long) LONG.get(consumer, 0);
    // Acquire pairs with the kernel's release of its position, and of each header.
    while (position < (long) LONG.getAcquire(producer, 0)) {
      int header = dataOffset + (int) (position & mask);
      int length = (int) INT.getAcquire(producer, header);
      if ((length & BUSY) != 0) {
        break;
      }
      int bytes = length & ~DISCARDED;
      position += (HEADER_BYTES + bytes + 7L) & -8L;
      try {
        if ((length & DISCARDED) == 0) {
          records++;
          handler.record(
              record.limit(header + HEADER_BYTES + bytes).position(header + HEADER_BYTES));
        }
      } finally {
        // From here on programs may overwrite the record.
        LONG.setRelease(consumer, 0, position);
      }
    }
    return records;
  }

  long availableBytes() {
    return (long) LONG.getAcquire(producer, 0) - (long) LONG.get(consumer, 0);
  }
}
