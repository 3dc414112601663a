package dev.ply.kernel.ring;

import dev.ply.bpf.machine.Machine;
import dev.ply.bpf.object.MapType;
import dev.ply.kernel.load.LoadedMap;
import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.sys.MappedMemory;
import dev.ply.kernel.sys.NativeMemory;
import dev.ply.kernel.sys.SystemCalls;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The reading end of a BPF ring buffer. One thread polls; any thread can wake it up or close the
 * buffer, which waits for a poll in progress. Requires Linux 5.8.
 */
public final class RingBuffer implements AutoCloseable {
  private static final short POLLIN = 1;
  private static final int POLLFD_BYTES = 8;
  private static final long NANOS_PER_MILLISECOND = 1_000_000;

  private final FileDescriptor wakeUps;
  private final MappedMemory consumerMemory;
  private final MappedMemory producerMemory;
  private final RecordReader reader;
  private final NativeMemory waitsFor = NativeMemory.allocate(2 * POLLFD_BYTES);
  private final ReentrantLock polling = new ReentrantLock();
  private volatile boolean closed;
  private volatile boolean wokenUp;

  private RingBuffer(
      int map,
      int size,
      FileDescriptor wakeUps,
      MappedMemory consumerMemory,
      MappedMemory producerMemory) {
    this.wakeUps = wakeUps;
    this.consumerMemory = consumerMemory;
    this.producerMemory = producerMemory;
    this.reader =
        new RecordReader(
            consumerMemory.bytes(), producerMemory.bytes(), SystemCalls.pageSize(), size);
    waitsFor
        .bytes()
        .putInt(0, map)
        .putShort(4, POLLIN)
        .putInt(POLLFD_BYTES, wakeUps.number())
        .putShort(POLLFD_BYTES + 4, POLLIN);
  }

  /**
   * Maps the buffer into this process. The map must stay open while the buffer is polled.
   *
   * @throws dev.ply.kernel.error.KernelException if the kernel refuses
   */
  public static RingBuffer open(LoadedMap map) {
    if (map.map().type() != MapType.RINGBUF) {
      throw new IllegalArgumentException(map + " is no ring buffer but " + map.map().type());
    }
    int page = SystemCalls.pageSize();
    String object = "ring buffer \"" + map.map().name() + "\"";
    FileDescriptor wakeUps = SystemCalls.openEvent();
    try {
      MappedMemory consumer = SystemCalls.mapWritable(map.descriptor(), 0, page, object);
      try {
        // The data is mapped twice, so that records that wrap around are contiguous.
        long length = page + 2L * map.maxEntries();
        MappedMemory producer = SystemCalls.mapReadOnly(map.descriptor(), page, length, object);
        return new RingBuffer(map.descriptor(), map.maxEntries(), wakeUps, consumer, producer);
      } catch (RuntimeException | Error e) {
        consumer.close();
        throw e;
      }
    } catch (RuntimeException | Error e) {
      wakeUps.close();
      throw e;
    }
  }

  /**
   * Passes pending records to {@code handler}; if there are none, waits for some. Returns 0 after
   * the timeout, after {@link #wakeUp}, and if closed. Records submitted without wake-up are seen
   * at the next wake-up or timeout.
   *
   * <p>A record is consumed when the handler returns or throws; an exception ends the poll.
   *
   * @param timeout zero to not wait
   */
  public int poll(Duration timeout, Machine.RecordHandler handler) {
    long deadline = System.nanoTime() + timeout.toNanos();
    polling.lock();
    try {
      while (!closed) {
        int records = reader.read(handler);
        long left = deadline - System.nanoTime();
        if (records > 0 || left <= 0 || consumeWakeUp()) {
          return records;
        }
        long milliseconds = (left + NANOS_PER_MILLISECOND - 1) / NANOS_PER_MILLISECOND;
        SystemCalls.poll(waitsFor, 2, (int) Math.min(milliseconds, Integer.MAX_VALUE));
      }
      return 0;
    } finally {
      polling.unlock();
    }
  }

  /** Ends the current poll that waits, or the next one. */
  public void wakeUp() {
    if (!closed) {
      wokenUp = true;
      SystemCalls.signal(wakeUps);
    }
  }

  /** Returns the number of unread bytes, with headers. */
  public long availableBytes() {
    polling.lock();
    try {
      return closed ? 0 : reader.availableBytes();
    } finally {
      polling.unlock();
    }
  }

  /** Unmaps the buffer after a poll in progress ends. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    wakeUp();
    closed = true;
    polling.lock();
    try {
      producerMemory.close();
      consumerMemory.close();
      wakeUps.close();
    } finally {
      polling.unlock();
    }
  }

  private boolean consumeWakeUp() {
    if (!wokenUp) {
      return false;
    }
    wokenUp = false;
    SystemCalls.reset(wakeUps);
    return true;
  }
}
