package dev.ply.kernel.untrusted;

/**
 * Memory of a {@link MemoryBudget} that is claimed until it is released.
 *
 * @param bytes in total
 * @param bytesOfUsers of which for files that users other than root can write
 */
public record Claim(MemoryBudget memory, long bytes, long bytesOfUsers) {
  /** Returns whether part of it is claimed for files of users other than root. */
  boolean isOfUsers() {
    return bytesOfUsers > 0;
  }

  /** Releases the memory; to be called once. */
  public void release() {
    memory.release(bytes, bytesOfUsers);
  }
}
