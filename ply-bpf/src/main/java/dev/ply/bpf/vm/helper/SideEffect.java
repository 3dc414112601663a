package dev.ply.bpf.vm.helper;

/** A side effect of a program outside its maps. */
public sealed interface SideEffect {
  /**
   * A line printed to trace_pipe, without the kernel's prefix.
   *
   * @param text without newline
   */
  record Printed(String text) implements SideEffect {}

  /**
   * A signal sent to the current task.
   *
   * @param task the current one
   * @param signal its number
   * @param toThread whether to the thread rather than to its process
   */
  record Signalled(Task task, int signal, boolean toThread) implements SideEffect {}

  /**
   * The probed function was skipped and returns {@code value}.
   *
   * @param value the result that the caller sees
   */
  record ReturnOverridden(long value) implements SideEffect {}

  /**
   * A write of {@code size} bytes to user memory.
   *
   * @param address of the first byte
   * @param size in bytes
   */
  record UserMemoryWritten(long address, int size) implements SideEffect {}
}
