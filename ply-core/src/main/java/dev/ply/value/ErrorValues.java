package dev.ply.value;

import dev.ply.Value;
import dev.ply.Values;
import dev.ply.builtin.catalog.ErrorBuiltins;

/** Names of errors, signals and system calls. Meant for static import, beside {@link Values}. */
public final class ErrorValues {
  private ErrorValues() {}

  /**
   * {@return the name of a signal, the number if it has none}
   *
   * @param number a signal's number, or an errno, positive or negative
   */
  public static Value signalName(Value number) {
    return Value.call(ErrorBuiltins.SIGNAL_NAME, number);
  }

  /**
   * {@return the name of a system call, the number if it has none}
   *
   * @param number of the table of the machine, as {@code id} of raw_syscalls has it
   */
  public static Value syscallName(Value number) {
    return Value.call(ErrorBuiltins.SYSCALL_NAME, number);
  }

  /**
   * {@return the message of an errno}
   *
   * @param number a signal's number, or an errno, positive or negative
   */
  public static Value strerror(Value number) {
    return Value.call(ErrorBuiltins.STRERROR, number);
  }

  /**
   * {@return whether a pointer returned by a kernel function is an errno (IS_ERR)}
   *
   * @param pointer as a function of the kernel returns it
   */
  public static Value isError(Value pointer) {
    return Value.call(ErrorBuiltins.IS_ERR, pointer);
  }
}
