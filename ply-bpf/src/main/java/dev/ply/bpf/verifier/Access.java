package dev.ply.bpf.verifier;

/** How an instruction or a helper touches memory. */
enum Access {
  /** A load. */
  READ("read"),
  /** A store. */
  WRITE("write"),
  /** An atomic read-modify-write. */
  ATOMIC("atomic operation"),
  /** A read by a helper. */
  HELPER_READ("read"),
  /** A write by a helper of a size known beforehand. */
  HELPER_WRITE("write"),
  /** A write by a helper that may be shorter than its bound, so the rest must hold something. */
  HELPER_PARTIAL_WRITE("write");

  private final String word;

  Access(String word) {
    this.word = word;
  }

  String word() {
    return word;
  }

  boolean isByHelper() {
    return this == HELPER_READ || this == HELPER_WRITE || this == HELPER_PARTIAL_WRITE;
  }

  boolean isRead() {
    return this == READ || this == HELPER_READ;
  }

  boolean needsContent() {
    return this != WRITE && this != HELPER_WRITE;
  }
}
