package dev.ply.name;

import dev.ply.binding.ComponentKind;
import dev.ply.binding.Decoded;
import dev.ply.machine.Architecture;
import dev.ply.machine.SystemCallNames;

/**
 * A system call of an architecture.
 *
 * <p>A component of this type takes a syscall number, such as {@code field("id")} of the tracepoint
 * {@code raw_syscalls:sys_enter}. Numbers differ between architectures: those of events and tables
 * are the target's.
 *
 * @param number as in the architecture's asm/unistd.h
 * @param name such as {@code openat}; the number in decimal if it has no name
 */
@Decoded(ComponentKind.SYSTEM_CALL)
public record SystemCall(long number, String name) {
  /**
   * {@return the system call of a number}
   *
   * @param architecture that numbers it
   * @param number of any value
   */
  public static SystemCall of(Architecture architecture, long number) {
    return new SystemCall(
        number, SystemCallNames.name(architecture, number).orElseGet(() -> Long.toString(number)));
  }

  /** {@return the name} */
  @Override
  public String toString() {
    return name;
  }
}
