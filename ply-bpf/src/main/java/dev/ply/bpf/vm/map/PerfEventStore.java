package dev.ply.bpf.vm.map;

import dev.ply.bpf.object.BpfMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** A perf event array with an unbounded buffer per CPU. */
public final class PerfEventStore implements Store {
  private static final long INDEX = 0xffff_ffffL;

  /** BPF_F_CURRENT_CPU. */
  private static final long CURRENT = INDEX;

  private final BpfMap map;
  private final List<Deque<byte[]>> events = new ArrayList<>();

  PerfEventStore(BpfMap map, int cpus) {
    this.map = map;
    for (int cpu = 0; cpu < Math.min(cpus, map.maxEntries()); cpu++) {
      events.add(new ArrayDeque<>());
    }
  }

  /** Returns the definition of the map. */
  @Override
  public BpfMap map() {
    return map;
  }

  /**
   * Passes the records of {@code cpu} to {@code reader}, oldest first; returns their number.
   *
   * @param cpu counted from 0
   * @param reader receives a copy of each record
   * @throws IndexOutOfBoundsException if the array has no event for that CPU
   */
  public int consume(int cpu, Consumer<byte[]> reader) {
    Deque<byte[]> records = events.get(cpu);
    int consumed = 0;
    for (; !records.isEmpty(); consumed++) {
      reader.accept(records.removeFirst());
    }
    return consumed;
  }

  /** Implements bpf_perf_event_output; returns 0 or a negative errno. */
  public int output(int cpu, long flags, byte[] record) {
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
