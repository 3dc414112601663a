package dev.ply.bpf.vm;

import java.util.List;

/**
 * The circumstances of a run: the thread that an event interrupts, where and when, and the memory
 * around it.
 *
 * @param pid the process, which the kernel calls tgid
 * @param tid the thread, which the kernel calls pid
 * @param comm the thread's name; programs see at most 15 bytes of it
 * @param cpu the CPU, from 0
 * @param nanos nanoseconds since boot, with and without time asleep
 * @param address where its task_struct is in kernel memory
 * @param kernelStack return addresses in the kernel, innermost first
 * @param userStack return addresses in the process, innermost first
 * @param memory what probe reads see
 * @param cgroup the id of the thread's control group
 * @param attachment what the running program was attached to
 */
public record Task(
    int pid,
    int tid,
    int uid,
    int gid,
    String comm,
    int cpu,
    long nanos,
    long address,
    List<Long> kernelStack,
    List<Long> userStack,
    SimulatedMemory memory,
    long cgroup,
    Attachment attachment) {

  /**
   * What a program can ask about the place where it was attached.
   *
   * @param cookie the number given with the attachment, or 0
   * @param function the address of the probed function, or 0
   * @param arguments how many of the context's 64-bit values are arguments of the function; its
   *     return value follows them
   */
  public record Attachment(long cookie, long function, int arguments) {
    /** Nothing that a program could ask about. */
    public static final Attachment NONE = new Attachment(0, 0, 0);
  }

  /**
   * How many bytes from the start of a task_struct the thread's name is, padded with NULs: as in
   * one build of Linux 6.18.
   */
  public static final int NAME_OFFSET = 1752;

  /**
   * How many bytes from the start of a task_struct the thread's own number is, 32 bits, and behind
   * it its process's: as in the same build.
   */
  public static final int PID_OFFSET = 1264;

  /**
   * Where the registers are that a thread saved when it came from user space, in the kernel's
   * memory around a run.
   */
  public static final long REGISTERS = 0xffff_c900_0000_0000L;

  /** Where in a task_struct the number of the processor is, 32 bits: in its thread_info. */
  public static final int CPU_OFFSET = 20;

  /**
   * How many bytes the thread_info has that a task_struct begins with; all but that number are
   * zero.
   */
  static final int INFO_SIZE = 24;

  private static final long ROOT_CGROUP = 1;

  public Task {
    kernelStack = List.copyOf(kernelStack);
    userStack = List.copyOf(userStack);
  }

  /** Creates a task with empty stacks and no task_struct. */
  public Task(
      int pid,
      int tid,
      int uid,
      int gid,
      String comm,
      int cpu,
      long nanos,
      SimulatedMemory memory) {
    this(
        pid,
        tid,
        uid,
        gid,
        comm,
        cpu,
        nanos,
        0,
        List.of(),
        List.of(),
        memory,
        ROOT_CGROUP,
        Attachment.NONE);
  }

  /** Returns the first thread of a process of root's, on CPU 0 at time 0, with empty memory. */
  public static Task of(int pid, String comm) {
    return new Task(pid, pid, 0, 0, comm, 0, 0, new SimulatedMemory());
  }

  /** Returns this task on another CPU. */
  public Task onCpu(int cpu) {
    return new Task(
        pid,
        tid,
        uid,
        gid,
        comm,
        cpu,
        nanos,
        address,
        kernelStack,
        userStack,
        memory,
        cgroup,
        attachment);
  }

  /** Returns this task at another time. */
  public Task atNanos(long nanos) {
    return new Task(
        pid,
        tid,
        uid,
        gid,
        comm,
        cpu,
        nanos,
        address,
        kernelStack,
        userStack,
        memory,
        cgroup,
        attachment);
  }

  /** Returns this task with a task_struct at {@code address}. */
  public Task withAddress(long address) {
    return new Task(
        pid,
        tid,
        uid,
        gid,
        comm,
        cpu,
        nanos,
        address,
        kernelStack,
        userStack,
        memory,
        cgroup,
        attachment);
  }

  /** Returns this task with other memory. */
  public Task withMemory(SimulatedMemory memory) {
    return new Task(
        pid,
        tid,
        uid,
        gid,
        comm,
        cpu,
        nanos,
        address,
        kernelStack,
        userStack,
        memory,
        cgroup,
        attachment);
  }

  /** Returns this task with other stacks. */
  public Task withStacks(List<Long> kernelStack, List<Long> userStack) {
    return new Task(
        pid,
        tid,
        uid,
        gid,
        comm,
        cpu,
        nanos,
        address,
        kernelStack,
        userStack,
        memory,
        cgroup,
        attachment);
  }

  /** Returns this task in another control group. */
  public Task inCgroup(long cgroup) {
    return new Task(
        pid,
        tid,
        uid,
        gid,
        comm,
        cpu,
        nanos,
        address,
        kernelStack,
        userStack,
        memory,
        cgroup,
        attachment);
  }

  /** Returns this task as one in which a program attached like this runs. */
  public Task at(Attachment attachment) {
    return new Task(
        pid,
        tid,
        uid,
        gid,
        comm,
        cpu,
        nanos,
        address,
        kernelStack,
        userStack,
        memory,
        cgroup,
        attachment);
  }
}
