package dev.ply.bpf.vm.map;

import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.vm.memory.Region;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A ring buffer.
 *
 * <p>A record occupies 8 bytes of header and its size rounded up to 8. Like the kernel's, the
 * buffer never fills completely (kernel/bpf/ringbuf.c, Linux 5.8).
 */
public final class RingBufferStore implements Store {
  private static final int HEADER = 8;

  /** A reserved record. */
  public static final class Reservation {
    private final byte[] data;
    private State state = State.BUSY;

    private Reservation(byte[] data) {
      this.data = data;
    }

    /** Returns the bytes of the record, which the program writes. */
    public byte[] data() {
      return data;
    }

    /** Passes the record on to the reader. */
    public void submit() {
      state = State.READY;
    }

    /** Drops the record. */
    public void discard() {
      state = State.DISCARDED;
    }
  }

  private enum State {
    BUSY,
    READY,
    DISCARDED
  }

  private final BpfMap map;
  private final Deque<Reservation> records = new ArrayDeque<>();
  private long producer;
  private long consumer;

  RingBufferStore(BpfMap map) {
    this.map = map;
  }

  /** Returns the definition of the map. */
  @Override
  public BpfMap map() {
    return map;
  }

  /**
   * Passes the submitted records to {@code reader}, oldest first; returns their number.
   *
   * @param reader receives a copy of each record
   */
  public int consume(Consumer<byte[]> reader) {
    int consumed = 0;
    while (!records.isEmpty() && records.getFirst().state != State.BUSY) {
      Reservation record = records.removeFirst();
      consumer += footprint(record.data.length);
      if (record.state == State.READY) {
        consumed++;
        reader.accept(record.data);
      }
    }
    return consumed;
  }

  /** {@return the number of unread bytes, headers included} */
  public long available() {
    return producer - consumer;
  }

  /** {@return the consumer position in bytes} */
  public long consumerPosition() {
    return consumer;
  }

  /** {@return the producer position in bytes} */
  public long producerPosition() {
    return producer;
  }

  /** Reserves a record of {@code size} bytes, if it fits. */
  public Optional<Reservation> reserve(long size) {
    if (size < 0 || size > map.maxEntries() || available() + footprint(size) >= map.maxEntries()) {
      return Optional.empty();
    }
    byte[] data = new byte[(int) size];
    Arrays.fill(data, Region.FILLER);
    Reservation record = new Reservation(data);
    records.addLast(record);
    producer += footprint(size);
    return Optional.of(record);
  }

  private static long footprint(long size) {
    return (size + HEADER + 7) & ~7;
  }
}
