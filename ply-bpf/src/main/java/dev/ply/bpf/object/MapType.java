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
  /** A hash map that evicts keys that have not been used for long. Requires Linux 4.10. */
  LRU_HASH(9),
  /** A per-CPU {@link #LRU_HASH}. Requires Linux 4.10. */
  LRU_PERCPU_HASH(10),
  /** An array of maps. Requires Linux 4.12. */
  ARRAY_OF_MAPS(12),
  /** A ring buffer shared by all CPUs. Requires Linux 5.8. */
  RINGBUF(27);

  private final int number;

  MapType(int number) {
    this.number = number;
  }

  /** {@return the kernel's number} */
  public int number() {
    return number;
  }

  /** {@return whether entries can be removed, unlike those of arrays} */
  public boolean canRemove() {
    return switch (this) {
      case HASH, PERCPU_HASH, LRU_HASH, LRU_PERCPU_HASH -> true;
      case ARRAY, PERF_EVENT_ARRAY, PERCPU_ARRAY, STACK_TRACE, ARRAY_OF_MAPS, RINGBUF -> false;
    };
  }

  /** {@return whether a full map evicts keys to make room for new ones} */
  public boolean evicts() {
    return this == LRU_HASH || this == LRU_PERCPU_HASH;
  }

  /** {@return whether values are per CPU} */
  public boolean isPerCpu() {
    return this == PERCPU_HASH || this == PERCPU_ARRAY || this == LRU_PERCPU_HASH;
  }
}
