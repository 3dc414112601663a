package dev.ply.bpf.vm;

/** A side effect of a program outside its maps. */
public sealed interface SideEffect {
  /** A line printed to trace_pipe, without the kernel's prefix. */
  record Printed(String text) implements SideEffect {}

  /**
   * A signal sent to the current task.
   *
   * @param toThread whether to the thread rather than to its process
   */
  record Signalled(Task task, int signal, boolean toThread) implements SideEffect {}

  /** The probed function was skipped and returns {@code value}. */
  record ReturnOverridden(long value) implements SideEffect {}

  /** A write of {@code size} bytes to user memory. */
  record UserMemoryWritten(long address, int size) implements SideEffect {}
}
