package dev.ply.bpf.object;

/** Map types in use (enum bpf_map_type in include/uapi/linux/bpf.h). */
public enum MapType {
  /** A hash map. */
  HASH(1),
  /** An array with 4-byte keys. */
  ARRAY(2),
  /** An array of perf events, one per CPU. */
  PERF_EVENT_ARRAY(4),
  /** A per-CPU hash map. Requires Linux 4.6. */
  PERCPU_HASH(5),
  /** A per-CPU array. Requires Linux 4.6. */
  PERCPU_ARRAY(6),
  /** Stack traces by id. Requires Linux 4.6. */
  STACK_TRACE(7),
  /** A ring buffer shared by all CPUs. Requires Linux 5.8. */
  RINGBUF(27);

  private final int number;

  MapType(int number) {
    this.number = number;
  }

  /** Returns the kernel's number. */
  public int number() {
    return number;
  }

  /** Returns whether entries can be removed, unlike those of arrays. */
  public boolean canRemove() {
    return this == HASH || this == PERCPU_HASH;
  }

  /** Returns whether values are per CPU. */
  public boolean isPerCpu() {
    return this == PERCPU_HASH || this == PERCPU_ARRAY;
  }
}
