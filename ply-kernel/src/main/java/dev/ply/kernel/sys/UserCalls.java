package dev.ply.kernel.sys;

import com.sun.jna.Function;
import dev.ply.kernel.error.KernelException;

/**
 * Changes of the process's user by the C library, which makes them in all threads, those of the
 * Java runtime too; the system calls change the calling thread only.
 */
public final class UserCalls {
  private UserCalls() {}

  /**
   * Changes the real, effective and saved user and group of all threads, and leaves no other
   * groups. From root to another user, that drops all capabilities.
   *
   * @throws KernelException if it is not permitted
   */
  public static void become(int user, int group) {
    // The groups first: the user may not change them.
    call("setgroups", 0L, 0L);
    call("setresgid", group, group, group);
    call("setresuid", user, user, user);
  }

  private static void call(String name, Object... arguments) {
    Function function = LibC.function(name);
    if (function.invokeInt(arguments) != 0) {
      throw new KernelException(LibC.lastError(), name + "(2)");
    }
  }
}
