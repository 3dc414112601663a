package dev.ply.bpf.verifier.memory;

/** The kind of a memory access. */
public enum Access {
  /** A load. */
  READ("read"),
  /** A store. */
  WRITE("write"),
  /** An atomic read-modify-write. */
  ATOMIC("atomic operation"),
  /** A read by a helper. */
  HELPER_READ("read"),
  /** A write by a helper, of constant size. */
  HELPER_WRITE("write"),
  /** A write by a helper that may be shorter than its bound; the memory must be initialised. */
  HELPER_PARTIAL_WRITE("write");

  private final String noun;

  Access(String noun) {
    this.noun = noun;
  }

  /** Returns what messages call it. */
  public String noun() {
    return noun;
  }

  /** Returns whether a helper accesses the memory, not an instruction. */
  public boolean isByHelper() {
    return this == HELPER_READ || this == HELPER_WRITE || this == HELPER_PARTIAL_WRITE;
  }

  /** Returns whether the memory is read. */
  public boolean isRead() {
    return this == READ || this == HELPER_READ;
  }

  /** Returns whether the bytes must have been written before. */
  public boolean needsInitialized() {
    return this != WRITE && this != HELPER_WRITE;
  }
}
