package dev.ply.value;

import dev.ply.Value;
import dev.ply.Values;
import dev.ply.builtin.catalog.CgroupBuiltins;
import dev.ply.builtin.catalog.MachineBuiltins;
import dev.ply.builtin.catalog.NamespaceBuiltins;
import dev.ply.builtin.catalog.ParentBuiltins;
import dev.ply.builtin.catalog.ThreadBuiltins;

/**
 * Values of the thread and its process, its user, its cgroup and its CPU. Meant for static import,
 * beside {@link Values}.
 */
public final class ThreadValues {
  private ThreadValues() {}

  /** {@return the PID of the parent process in the tracer's PID namespace; requires BTF} */
  public static Value ppid() {
    return Value.call(ParentBuiltins.PPID);
  }

  /** {@return the name of the parent, at most 15 bytes; requires BTF} */
  public static Value pcomm() {
    return Value.call(ParentBuiltins.PCOMM);
  }

  /** {@return the NUMA node of the current CPU} */
  public static Value numaId() {
    return Value.call(MachineBuiltins.NUMAID);
  }

  /** {@return the number of possible CPUs} */
  public static Value cpus() {
    return Value.call(MachineBuiltins.NCPUS);
  }

  /** {@return the ID of the thread's cgroup, in cgroup v2} */
  public static Value cgroup() {
    return Value.call(CgroupBuiltins.CGROUP);
  }

  /**
   * {@return the ID of the cgroup with this directory of cgroupfs, an absolute path}
   *
   * @param directory an absolute path below {@code /sys/fs/cgroup}, read when the trace is prepared
   */
  public static Value cgroupId(String directory) {
    return Value.call(CgroupBuiltins.CGROUPID, Values.text(directory));
  }

  /**
   * {@return a cgroup's ID, printed as the cgroup's path}
   *
   * @param id as {@link #cgroup} returns it
   */
  public static Value cgroupPath(Value id) {
    return Value.call(CgroupBuiltins.CGROUP_PATH, id);
  }

  /**
   * {@return whether the thread is in a cgroup or in one below it, whenever that is made}
   *
   * @param directory of cgroup v2, an absolute path below {@code /sys/fs/cgroup}, read when the
   *     trace is prepared
   */
  public static Value inCgroup(String directory) {
    return Value.call(CgroupBuiltins.IN_CGROUP, Values.text(directory));
  }

  /**
   * {@return the container that the path of the thread's cgroup tells, looked up when it is
   * printed: 12 digits of its ID, or its name}
   */
  public static Value container() {
    return Value.call(CgroupBuiltins.CONTAINER);
  }

  /** {@return the UID of the pod that the path of the thread's cgroup tells} */
  public static Value pod() {
    return Value.call(CgroupBuiltins.POD);
  }

  /** {@return the inode of the innermost PID namespace of the thread; requires BTF} */
  public static Value pidns() {
    return Value.call(NamespaceBuiltins.PIDNS);
  }

  /**
   * {@return whether the thread is in a PID namespace or in one nested in it; requires BTF}
   *
   * @param inode of the namespace, as {@code stat -L /proc/PID/ns/pid} shows it
   */
  public static Value inPidns(Value inode) {
    return Value.call(NamespaceBuiltins.IN_PIDNS, inode);
  }

  /** {@return the GID} */
  public static Value gid() {
    return Value.call(ThreadBuiltins.GID);
  }

  /** {@return the address of the current thread's {@code struct task_struct}} */
  public static Value curtask() {
    return Value.call(ThreadBuiltins.CURTASK);
  }

  /** {@return a pseudo-random number of 32 bits} */
  public static Value rand() {
    return Value.call(ThreadBuiltins.RAND);
  }

  /** {@return the ID of the process's first thread, which is the process ID} */
  public static Value leaderTid() {
    return Value.call(ParentBuiltins.LEADER_TID);
  }

  /** {@return the name of the process's first thread} */
  public static Value leaderComm() {
    return Value.call(ParentBuiltins.LEADER_COMM);
  }

  /** {@return the name of the real user, the number if it has none} */
  public static Value username() {
    return Value.call(ThreadBuiltins.USERNAME);
  }

  /**
   * {@return the name of another process or thread, looked up when it is printed}
   *
   * @param id its ID
   */
  public static Value commOf(Value id) {
    return Value.call(ThreadBuiltins.COMM_OF, id);
  }
}
