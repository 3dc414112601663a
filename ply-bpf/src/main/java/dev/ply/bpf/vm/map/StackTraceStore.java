package dev.ply.bpf.vm.map;

import dev.ply.bpf.object.BpfMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A stack trace map. Equal traces share an ID; IDs count from 0, where the kernel's are hashes. */
public final class StackTraceStore implements Store {
  private final BpfMap map;
  private final Map<List<Long>, Integer> ids = new LinkedHashMap<>();
  private final List<List<Long>> traces = new ArrayList<>();

  StackTraceStore(BpfMap map) {
    this.map = map;
  }

  /** Returns the definition of the map. */
  @Override
  public BpfMap map() {
    return map;
  }

  /**
   * {@return the trace with {@code id}, innermost address first}
   *
   * @param id as get_stackid returned it
   */
  public Optional<List<Long>> trace(long id) {
    return id >= 0 && id < traces.size() ? Optional.of(traces.get((int) id)) : Optional.empty();
  }

  /** Removes all traces. */
  public void clear() {
    ids.clear();
    traces.clear();
  }

  /**
   * Returns the ID of {@code stack} without its innermost {@code skip} addresses, or a negative
   * errno: EFAULT if the rest is empty, EEXIST if the map is full.
   */
  public int record(List<Long> stack, int skip) {
    if (skip >= stack.size()) {
      return -HelperError.EFAULT;
    }
    int depth = map.valueSize() / Long.BYTES;
    List<Long> trace = List.copyOf(stack.subList(skip, Math.min(stack.size(), skip + depth)));
    Integer known = ids.get(trace);
    if (known != null) {
      return known;
    }
    if (traces.size() >= map.maxEntries()) {
      return -HelperError.EEXIST;
    }
    ids.put(trace, traces.size());
    traces.add(trace);
    return traces.size() - 1;
  }
}
