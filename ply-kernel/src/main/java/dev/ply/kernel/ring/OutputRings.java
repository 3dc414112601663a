package dev.ply.kernel.ring;

import dev.ply.bpf.machine.Machine;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.load.CloseAll;
import dev.ply.kernel.load.LoadedMap;
import dev.ply.kernel.sys.CpuSet;
import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.sys.PerfEventAttr;
import dev.ply.kernel.sys.PerfRequest;
import dev.ply.kernel.sys.SystemCalls;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The buffers of a perf event array, one on each online CPU, with what programs write. Records of
 * one CPU are in order. One thread polls.
 */
public final class OutputRings implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 20;

  /** Within the memory that any user can lock: {@code kernel.perf_event_mlock_kb}. */
  private static final int SMALL_BUFFER_BYTES = 1 << 18;

  private static final int HEADER = 8;

  /** PERF_RECORD_SAMPLE. */
  private static final int SAMPLE = 9;

  private final List<AutoCloseable> owned = new ArrayList<>();
  private final List<PerfRing> rings = new ArrayList<>();

  private OutputRings() {}

  /**
   * Opens an event on each CPU, and stores it in the map.
   *
   * @throws KernelException if the kernel refuses
   */
  public static OutputRings open(LoadedMap map) {
    OutputRings opened = new OutputRings();
    try {
      CpuSet cpus = CpuSet.online();
      for (int i = 0; i < cpus.count(); i++) {
        opened.open(map, cpus.number(i));
      }
      return opened;
    } catch (RuntimeException | Error e) {
      opened.close();
      throw e;
    }
  }

  private void open(LoadedMap map, int cpu) {
    FileDescriptor event =
        SystemCalls.openPerfEvent(PerfEventAttr.output(), cpu, "buffer of CPU " + cpu);
    owned.add(event);
    PerfRing ring = ring(event);
    rings.add(ring);
    // Before its event is closed.
    owned.add(0, ring);
    map.update(number(cpu), number(event.number()));
    SystemCalls.ioctl(event, PerfRequest.ENABLE, 0, "enabling the buffer of CPU " + cpu);
  }

  private static PerfRing ring(FileDescriptor event) {
    try {
      return PerfRing.open(event, BUFFER_BYTES);
    } catch (KernelException e) {
      return PerfRing.open(event, SMALL_BUFFER_BYTES);
    }
  }

  private static byte[] number(int number) {
    return ByteBuffer.allocate(Integer.BYTES)
        .order(ByteOrder.nativeOrder())
        .putInt(0, number)
        .array();
  }

  /** Passes the records so far to {@code handler}, and returns their number. */
  public int poll(Machine.RecordHandler handler) {
    int records = 0;
    for (PerfRing ring : rings) {
      records += read(ring.take(), handler);
    }
    return records;
  }

  /**
   * Passes on complete samples: a header, the size of the data, and the data, padded. Other records
   * are the kernel's notes of what it has dropped, which programs count.
   */
  static int read(ByteBuffer records, Machine.RecordHandler handler) {
    int samples = 0;
    int at = 0;
    while (at + HEADER <= records.limit()) {
      int size = Short.toUnsignedInt(records.getShort(at + 6));
      if (size < HEADER || at + size > records.limit()) {
        break;
      }
      if (records.getInt(at) == SAMPLE) {
        int length = Math.min(records.getInt(at + HEADER), size - HEADER - Integer.BYTES);
        handler.record(records, at + HEADER + Integer.BYTES, length);
        samples++;
      }
      at += size;
    }
    return samples;
  }

  @Override
  public void close() {
    List<AutoCloseable> closing = List.copyOf(owned);
    owned.clear();
    CloseAll.of(closing);
  }
}
