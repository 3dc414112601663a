package dev.ply.kernel.mapping;

import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.ring.PerfRing;
import dev.ply.kernel.sys.Clock;
import dev.ply.kernel.sys.CpuSet;
import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.sys.PerfEventAttr;
import dev.ply.kernel.sys.PerfRequest;
import dev.ply.kernel.sys.SystemCalls;
import dev.ply.kernel.untrusted.Claim;
import dev.ply.kernel.untrusted.MemoryBudget;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Records the mappings of processes, by a dummy perf event on each CPU. Its buffers hold about a
 * hundred processes; records dropped by the kernel are counted. {@link #close} can be called by any
 * thread, everything else by one.
 */
public final class RecordedMappings implements AutoCloseable {
  /** Within the memory that any user can lock: {@code kernel.perf_event_mlock_kb}. */
  private static final int BUFFER_BYTES = 1 << 18;

  /** The part of a buffer from which records are many: 1/16. */
  private static final int MANY = 16;

  private static final int SHARE_OF_MEMORY = 8;
  private static final long MOST_BYTES = 1 << 25;
  private static final long LEAST_BYTES = 1 << 16;

  private final List<FileDescriptor> events;
  private final List<PerfRing> buffers;
  private final Claim memory;
  private final MappingHistory history;
  private final List<MappingEvent> waiting = new ArrayList<>();
  private final RecordParser parser = new RecordParser(waiting::add, this::addLost);
  private final AtomicLong lost = new AtomicLong();
  private boolean hasMany;
  private final AtomicBoolean closed = new AtomicBoolean();

  private RecordedMappings(List<FileDescriptor> events, List<PerfRing> buffers, Claim memory) {
    this.events = events;
    this.buffers = buffers;
    this.memory = memory;
    this.history = new MappingHistory(memory.bytes());
  }

  /**
   * Starts recording on all online CPUs; empty if the kernel refuses.
   *
   * @param memory for the records, of which the least needed are dropped if there is little
   */
  public static Optional<RecordedMappings> open(MemoryBudget memory) {
    // Build IDs exist since Linux 5.12.
    return open(PerfEventAttr.mappings(true), memory)
        .or(() -> open(PerfEventAttr.mappings(false), memory));
  }

  private static Claim claim(MemoryBudget memory) {
    long bytes = Math.min(MOST_BYTES, memory.total() / SHARE_OF_MEMORY);
    Optional<Claim> claim = memory.reserve(bytes);
    while (claim.isEmpty() && bytes > LEAST_BYTES) {
      bytes /= 2;
      claim = memory.reserve(bytes);
    }
    return claim.orElseGet(() -> new Claim(memory, 0, 0));
  }

  private static Optional<RecordedMappings> open(PerfEventAttr attr, MemoryBudget memory) {
    RecordedMappings opened =
        new RecordedMappings(new ArrayList<>(), new ArrayList<>(), claim(memory));
    try {
      opened.openOn(CpuSet.online(), attr);
      return Optional.of(opened);
    } catch (KernelException e) {
      opened.close();
      return Optional.empty();
    } catch (RuntimeException | Error e) {
      opened.close();
      throw e;
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
   * Processes the records so far.
   *
   * @return new mappings of kept processes
   */
  public List<Kept> update() {
    hasMany = false;
    if (waiting.isEmpty() && buffers.stream().allMatch(PerfRing::isEmpty)) {
      return List.of();
    }
    // Records of one CPU are in order; later records of another CPU can be older than the last
    // ones.
    long now = SystemCalls.clock(Clock.MONOTONIC);
    for (PerfRing buffer : buffers) {
      ByteBuffer records = buffer.take();
      hasMany |= records.limit() > BUFFER_BYTES / MANY;
      parser.parse(records);
    }
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

  /** Returns whether a considerable part of a buffer was full at the last {@link #update}. */
  public boolean hadMany() {
    return hasMany;
  }

  /** A new mapping of a kept process. */
  public record Kept(int process, FileMapping mapping) {}

  /** Keeps the mappings of a process with recorded stacks after it exits. */
  public void keep(int process) {
    history.keep(process);
  }

  /** Returns the processes that are kept. */
  public Set<Integer> kept() {
    return history.kept();
  }

  /** Forgets a kept process that has ended. */
  public void forget(int process) {
    history.forget(process);
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

  /** Stops recording. Recorded mappings remain. */
  @Override
  public void close() {
    buffers.forEach(PerfRing::close);
    events.forEach(FileDescriptor::close);
    if (!closed.getAndSet(true)) {
      memory.release();
    }
  }
}
