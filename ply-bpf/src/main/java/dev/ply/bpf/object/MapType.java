package dev.ply.bpf.object;

/**
 * The map types in use, with the kernel's numbers (enum bpf_map_type in include/uapi/linux/bpf.h).
 */
public enum MapType {
  /** Hash table. */
  HASH(1),
  /** Fixed-size array with 4-byte keys. */
  ARRAY(2),
  /** Ring of perf events, one per CPU. */
  PERF_EVENT_ARRAY(4),
  /** Hash table with a value for each CPU. Needs kernel 4.6. */
  PERCPU_HASH(5),
  /** Array with a value for each CPU. Needs kernel 4.6. */
  PERCPU_ARRAY(6),
  /** Stack traces by id. Needs kernel 4.6. */
  STACK_TRACE(7),
  /** Ring buffer shared by all CPUs. Needs kernel 5.8. */
  RINGBUF(27);

  private final int number;

  MapType(int number) {
    this.number = number;
  }

  /** Returns the kernel's number. */
  public int number() {
    return number;
  }

  /** Tells whether entries of such a map come and go; those of an array are always there. */
  public boolean canRemove() {
    return this == HASH || this == PERCPU_HASH;
  }

  /** Tells whether a map of this type holds one value for each CPU. */
  public boolean isPerCpu() {
    return this == PERCPU_HASH || this == PERCPU_ARRAY;
  }
}
