package dev.ply.bpf.simulate;

import dev.ply.target.PidNamespace;
import java.util.List;
import java.util.Optional;

/**
 * The thread, CPU and stacks of a hit.
 *
 * @param pid the PID in the initial namespace
 * @param tid the TID in the initial namespace
 * @param uid the user
 * @param gid the group
 * @param comm the thread's name
 * @param cpu counted from 0
 * @param stack the kernel stack, innermost address first
 * @param userStack the user stack, innermost address first
 * @param task the address of the thread's {@code task_struct}, 0 if it is not in memory
 * @param cgroup the ID of the thread's cgroup, 1 for the root
 * @param namespaced the IDs in the thread's own PID namespace, unless it is the initial one
 */
public record Circumstances(
    int pid,
    int tid,
    int uid,
    int gid,
    String comm,
    int cpu,
    List<Long> stack,
    List<Long> userStack,
    long task,
    long cgroup,
    Optional<PidNamespace.Ids> namespaced) {
  /** Copies the stacks. */
  public Circumstances {
    stack = List.copyOf(stack);
    userStack = List.copyOf(userStack);
  }

  /**
   * A thread in the root cgroup and the initial PID namespace, without a {@code task_struct}.
   *
   * @param pid the PID
   * @param tid the TID
   * @param uid the user
   * @param gid the group
   * @param comm the thread's name
   * @param cpu counted from 0
   * @param stack the kernel stack, innermost address first
   * @param userStack the user stack, innermost address first
   */
  public Circumstances(
      int pid,
      int tid,
      int uid,
      int gid,
      String comm,
      int cpu,
      List<Long> stack,
      List<Long> userStack) {
    this(pid, tid, uid, gid, comm, cpu, stack, userStack, 0, 1, Optional.empty());
  }

  /**
   * {@return the IDs in a target's PID namespace, zero if the thread has none there}
   *
   * @param namespace that of a tracer
   */
  public PidNamespace.Ids idsFor(PidNamespace namespace) {
    return namespaced
        .filter(ids -> ids.namespace().equals(namespace))
        .orElseGet(() -> new PidNamespace.Ids(namespace, 0, 0));
  }
}
