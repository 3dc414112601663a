package dev.ply.target;

/**
 * A PID namespace, identified by its file {@code /proc/PID/ns/pid}.
 *
 * @param device of nsfs in the kernel's encoding: major number in the upper 12 of 32 bits, minor
 *     number in the lower 20
 * @param inode of the namespace
 */
public record PidNamespace(long device, long inode) {
  /** PROC_PID_INIT_INO of include/linux/proc_ns.h. */
  private static final long INITIAL_INODE = 0xEFFFFFFCL;

  /** {@return whether this is the initial namespace, in which all processes have a PID} */
  public boolean isInitial() {
    return inode == INITIAL_INODE;
  }

  /**
   * The IDs of a thread in the namespace it was created in.
   *
   * @param namespace in which these are the IDs
   * @param pid of its process
   * @param tid its own
   */
  public record Ids(PidNamespace namespace, int pid, int tid) {}
}
