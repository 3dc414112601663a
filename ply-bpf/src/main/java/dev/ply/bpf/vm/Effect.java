package dev.ply.bpf.vm;

/** Something that a program did to the world around it, other than to its maps. */
public sealed interface Effect {
  /** A line printed to the kernel's trace_pipe, without the prefix that the kernel adds. */
  record Printed(String text) implements Effect {}

  /**
   * A signal sent to the running task.
   *
   * @param toThread whether to the thread alone rather than to its process
   */
  record Signalled(Task task, int signal, boolean toThread) implements Effect {}

  /** The return value that the probed function was given instead of running. */
  record ReturnOverridden(long value) implements Effect {}

  /** So many bytes written to the memory of the running process, where they can be read. */
  record UserMemoryWritten(long address, int size) implements Effect {}
}
