package dev.ply.bpf.vm.helper;

import dev.ply.bpf.vm.memory.SimulatedMemory;
import dev.ply.target.PidNamespace;
import java.util.List;
import java.util.Optional;

/**
 * The context of a program run: the current thread, CPU, clock, memory and attachment.
 *
 * @param identity the current thread
 * @param cpu the current CPU, from 0
 * @param nanos nanoseconds since boot, on every clock
 * @param memory what probe reads see
 * @param stacks the stack traces of the thread
 * @param attachment what the program is attached to
 */
public record Task(
    Identity identity,
    int cpu,
    long nanos,
    SimulatedMemory memory,
    Stacks stacks,
    Attachment attachment) {

  /**
   * A thread as helpers report it.
   *
   * @param pid process ID (the kernel's tgid)
   * @param tid thread ID (the kernel's pid)
   * @param uid the user
   * @param gid the group
   * @param comm the thread name; programs see at most 15 bytes of it
   * @param cgroup cgroup ID
   * @param taskStruct address of the task_struct in kernel memory, or 0
   * @param namespaced its IDs in its own PID namespace, unless that is the initial one
   */
  public record Identity(
      int pid,
      int tid,
      int uid,
      int gid,
      String comm,
      long cgroup,
      long taskStruct,
      Optional<PidNamespace.Ids> namespaced) {
    private static final long ROOT_CGROUP = 1;

    /**
     * Creates a thread in the root cgroup, without a task_struct.
     *
     * @param pid process ID
     * @param tid thread ID
     * @param uid the user
     * @param gid the group
     * @param comm the thread name
     */
    public Identity(int pid, int tid, int uid, int gid, String comm) {
      this(pid, tid, uid, gid, comm, ROOT_CGROUP, 0, Optional.empty());
    }

    /** Cgroups other than the root are directly below it. */
    long ancestor(int level) {
      return level == 0 ? ROOT_CGROUP : level == 1 && cgroup != ROOT_CGROUP ? cgroup : 0;
    }

    /**
     * {@return this thread in another cgroup}
     *
     * @param otherCgroup its ID
     */
    public Identity in(long otherCgroup) {
      return new Identity(pid, tid, uid, gid, comm, otherCgroup, taskStruct, namespaced);
    }

    /**
     * {@return this thread with IDs in a PID namespace that is not the initial one}
     *
     * @param namespace the IDs and the namespace; empty for the initial one
     */
    public Identity in(Optional<PidNamespace.Ids> namespace) {
      return new Identity(pid, tid, uid, gid, comm, cgroup, taskStruct, namespace);
    }

    /**
     * {@return the same thread with its task_struct at an address}
     *
     * @param address in kernel memory, 0 for none
     */
    public Identity withTaskStruct(long address) {
      return new Identity(pid, tid, uid, gid, comm, cgroup, address, namespaced);
    }
  }

  /**
   * Return addresses of the current thread, innermost first.
   *
   * @param kernel of kernel code
   * @param user of user code
   */
  public record Stacks(List<Long> kernel, List<Long> user) {
    /** Empty stacks. */
    public static final Stacks NONE = new Stacks(List.of(), List.of());

    /** Copies the addresses. */
    public Stacks {
      kernel = List.copyOf(kernel);
      user = List.copyOf(user);
    }
  }

  /**
   * The attachment of the running program.
   *
   * @param cookie the attach cookie, or 0
   * @param function the address of the probed function, or 0
   * @param arguments the number of 64-bit context values that are arguments of the function; the
   *     return value follows them
   */
  public record Attachment(long cookie, long function, int arguments) {
    /** No cookie and no function. */
    public static final Attachment NONE = new Attachment(0, 0, 0);
  }

  /** Offset of {@code comm} in the VM's task_struct, as in one build of Linux 6.18. */
  public static final int NAME_OFFSET = 1752;

  /** Offset of {@code pid} (32 bits), which {@code tgid} follows, as in the same build. */
  public static final int PID_OFFSET = 1264;

  /** Address of the saved user registers in the kernel memory of a run. */
  public static final long REGISTERS = 0xffff_c900_0000_0000L;

  /** Offset of the CPU number (32 bits) in the thread_info. */
  public static final int CPU_OFFSET = 20;

  /** Size of the thread_info at the start of a task_struct; zero except for the CPU number. */
  static final int INFO_SIZE = 24;

  /**
   * Creates a task on CPU 0 at time 0 with empty memory and stacks.
   *
   * @param identity what helpers report
   */
  public Task(Identity identity) {
    this(identity, 0, 0, new SimulatedMemory(), Stacks.NONE, Attachment.NONE);
  }

  /**
   * {@return a single-threaded process of root on CPU 0 at time 0, with empty memory}
   *
   * @param pid process and thread ID
   * @param comm the thread name
   */
  public static Task of(int pid, String comm) {
    return new Task(new Identity(pid, pid, 0, 0, comm));
  }

  /**
   * {@return this task at another CPU and time}
   *
   * @param cpu counted from 0
   * @param nanos since boot
   */
  public Task at(int cpu, long nanos) {
    return new Task(identity, cpu, nanos, memory, stacks, attachment);
  }
}
