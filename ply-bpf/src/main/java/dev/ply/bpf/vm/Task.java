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
    SimulatedMemory memory) {

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
    this(pid, tid, uid, gid, comm, cpu, nanos, 0, List.of(), List.of(), memory);
  }

  /** Returns the first thread of a process of root's, on CPU 0 at time 0, with empty memory. */
  public static Task of(int pid, String comm) {
    return new Task(pid, pid, 0, 0, comm, 0, 0, new SimulatedMemory());
  }

  /** Returns this task on another CPU. */
  public Task onCpu(int cpu) {
    return new Task(pid, tid, uid, gid, comm, cpu, nanos, address, kernelStack, userStack, memory);
  }

  /** Returns this task at another time. */
  public Task atNanos(long nanos) {
    return new Task(pid, tid, uid, gid, comm, cpu, nanos, address, kernelStack, userStack, memory);
  }

  /** Returns this task with a task_struct at {@code address}. */
  public Task withAddress(long address) {
    return new Task(pid, tid, uid, gid, comm, cpu, nanos, address, kernelStack, userStack, memory);
  }

  /** Returns this task with other memory. */
  public Task withMemory(SimulatedMemory memory) {
    return new Task(pid, tid, uid, gid, comm, cpu, nanos, address, kernelStack, userStack, memory);
  }

  /** Returns this task with other stacks. */
  public Task withStacks(List<Long> kernelStack, List<Long> userStack) {
    return new Task(pid, tid, uid, gid, comm, cpu, nanos, address, kernelStack, userStack, memory);
  }
}
