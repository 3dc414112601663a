package dev.ply.kernel.mapping;

import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.ring.PerfRing;
import dev.ply.kernel.sys.Clock;
import dev.ply.kernel.sys.CpuSet;
import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.sys.PerfEventAttr;
import dev.ply.kernel.sys.PerfRequest;
import dev.ply.kernel.sys.SystemCalls;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Records what processes map from when it is opened, by a software event on each CPU that counts
 * nothing. Its buffers hold some hundred processes; what the kernel drops is counted. {@link
 * #close} may be called by any thread, everything else by one.
 */
public final class RecordedMappings implements AutoCloseable {
  /** Within what any user may lock of memory: {@code kernel.perf_event_mlock_kb}. */
  private static final int BUFFER_BYTES = 1 << 18;

  private static final int SHARE_OF_HEAP = 16;
  private static final long MOST_BYTES = 1 << 25;

  private final List<FileDescriptor> events;
  private final List<PerfRing> buffers;
  private final MappingHistory history =
      new MappingHistory(Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP));
  private final List<MappingEvent> waiting = new ArrayList<>();
  private final RecordParser parser = new RecordParser(waiting::add, this::addLost);
  private final AtomicLong lost = new AtomicLong();

  private RecordedMappings(List<FileDescriptor> events, List<PerfRing> buffers) {
    this.events = events;
    this.buffers = buffers;
  }

  /** Begins to record on all CPUs that are online; empty where the kernel refuses. */
  public static Optional<RecordedMappings> open() {
    // Linux 5.12 began to report build IDs.
    return open(PerfEventAttr.mappings(true)).or(() -> open(PerfEventAttr.mappings(false)));
  }

  private static Optional<RecordedMappings> open(PerfEventAttr attr) {
    RecordedMappings opened = new RecordedMappings(new ArrayList<>(), new ArrayList<>());
    try {
      opened.openOn(CpuSet.online(), attr);
      return Optional.of(opened);
    } catch (KernelException e) {
      opened.close();
      return Optional.empty();
    }
  }

  private void openOn(CpuSet cpus, PerfEventAttr attr) {
    for (int i = 0; i < cpus.count(); i++) {
      FileDescriptor event = SystemCalls.openPerfEvent(attr, cpus.number(i), "mappings");
      events.add(event);
      buffers.add(PerfRing.open(event, BUFFER_BYTES));
    }
    for (FileDescriptor event : events) {
      SystemCalls.ioctl(event, PerfRequest.ENABLE, 0, "enabling the record of mappings");
    }
  }

  private void addLost(long number) {
    lost.addAndGet(number);
  }

  /**
   * Takes in what was recorded so far.
   *
   * @return the mappings of processes that are kept
   */
  public List<Kept> update() {
    // A CPU's records are in order; what another CPU wrote meanwhile may precede the last ones.
    long now = SystemCalls.clock(Clock.MONOTONIC);
    buffers.forEach(buffer -> parser.parse(buffer.take()));
    waiting.sort(Comparator.comparingLong(MappingEvent::time));
    List<Kept> kept = new ArrayList<>();
    int taken = 0;
    while (taken < waiting.size() && waiting.get(taken).time() <= now) {
      MappingEvent event = waiting.get(taken++);
      history.apply(event);
      if (event instanceof MappingEvent.Mapped mapped && history.isKept(event.process())) {
        kept.add(new Kept(mapped.process(), mapped.mapping()));
      }
    }
    waiting.subList(0, taken).clear();
    return kept;
  }

  /** A new mapping of a process that is kept. */
  public record Kept(int process, FileMapping mapping) {}

  /** Keeps the mappings of a process, which has stack traces, after it has exited. */
  public void keep(int process) {
    history.keep(process);
  }

  /** Returns the images of a PID, the latest first. */
  public List<ProcessImage> images(int process) {
    return history.images(process);
  }

  /** Returns the PID of a process's parent, if it was forked while mappings were recorded. */
  public OptionalInt parent(int process) {
    return history.parent(process);
  }

  /** Returns the number of records that the kernel dropped. */
  public long lost() {
    return lost.get();
  }

  /** Ends the record. What was recorded stays. */
  @Override
  public void close() {
    buffers.forEach(PerfRing::close);
    events.forEach(FileDescriptor::close);
  }
}
