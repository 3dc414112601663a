package dev.ply.bpf.vm;

import dev.ply.bpf.object.BpfMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * An array of perf events, one open on each CPU that it has room for: programs write records into
 * their own CPU's, and a reader takes them out. It never fills.
 */
public final class PerfEventStore implements Store {
  private static final long INDEX = 0xffff_ffffL;

  /** The index that means the running CPU (BPF_F_CURRENT_CPU). */
  private static final long CURRENT = INDEX;

  private final BpfMap map;
  private final List<Deque<byte[]>> events = new ArrayList<>();

  PerfEventStore(BpfMap map, int cpus) {
    this.map = map;
    for (int cpu = 0; cpu < Math.min(cpus, map.maxEntries()); cpu++) {
      events.add(new ArrayDeque<>());
    }
  }

  /** Returns what the array was made from. */
  @Override
  public BpfMap map() {
    return map;
  }

  /**
   * Hands the records of a CPU to {@code reader}, oldest first, and returns their number.
   *
   * @throws IndexOutOfBoundsException if the array has no event of that CPU
   */
  public int consume(int cpu, Consumer<byte[]> reader) {
    Deque<byte[]> records = events.get(cpu);
    int consumed = 0;
    for (; !records.isEmpty(); consumed++) {
      reader.accept(records.removeFirst());
    }
    return consumed;
  }

  /** Writes a record as the helper does; returns 0 or a negative error number. */
  int output(int cpu, long flags, byte[] record) {
    if ((flags & ~INDEX) != 0) {
      return -HelperError.EINVAL;
    }
    long index = (flags & INDEX) == CURRENT ? cpu : flags & INDEX;
    if (index >= map.maxEntries()) {
      return -HelperError.E2BIG;
    }
    if (index >= events.size()) {
      return -HelperError.ENOENT;
    }
    if (index != cpu) {
      return -HelperError.EOPNOTSUPP;
    }
    events.get(cpu).addLast(record);
    return 0;
  }
}
