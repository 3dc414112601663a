package dev.ply.target;

/**
 * A PID namespace, as the kernel identifies it: by the file {@code /proc/PID/ns/pid} of its
 * processes.
 *
 * @param device of the file system of namespaces (nsfs), in the kernel's encoding: major number in
 *     the upper 12 of 32 bits, minor number in the lower 20
 * @param inode of the namespace
 */
public record PidNamespace(long device, long inode) {
  /** PROC_PID_INIT_INO of include/linux/proc_ns.h. */
  private static final long INITIAL_INODE = 0xEFFFFFFCL;

  /** Returns whether this is the initial namespace, which all processes have a PID in. */
  public boolean isInitial() {
    return inode == INITIAL_INODE;
  }

  /**
   * IDs that a thread has in the namespace that it was created in.
   *
   * @param pid of its process
   * @param tid of itself
   */
  public record Ids(PidNamespace namespace, int pid, int tid) {}
}
