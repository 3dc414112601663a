package dev.ply.kernel.sys;

import com.sun.jna.Function;
import dev.ply.kernel.error.KernelException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Changes of the process's user by the C library, which makes them in all threads, those of the
 * Java runtime too; the system calls change the calling thread only.
 */
public final class UserCalls {
  private static final int KEEP_CAPABILITIES = 8;

  /** The layout of 64-bit sets. */
  private static final int CAPABILITY_VERSION = 0x20080522;

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

  /**
   * Lets the calling thread, and no other, keep its permitted capabilities when the process becomes
   * another user.
   */
  public static void keepCapabilities() {
    call("prctl", KEEP_CAPABILITIES, 1L, 0L, 0L, 0L);
  }

  /**
   * Leaves the calling thread some of its permitted capabilities, in force, and no others.
   *
   * @throws KernelException if it has fewer
   */
  public static void holdOnly(long mask) {
    ByteBuffer header = ByteBuffer.allocate(2 * Integer.BYTES).order(ByteOrder.nativeOrder());
    header.putInt(CAPABILITY_VERSION).putInt(0);
    ByteBuffer sets = ByteBuffer.allocate(6 * Integer.BYTES).order(ByteOrder.nativeOrder());
    // The lower and the upper half of the effective, the permitted and the inheritable set.
    sets.putInt((int) mask).putInt((int) mask).putInt(0);
    sets.putInt((int) (mask >>> 32)).putInt((int) (mask >>> 32)).putInt(0);
    call("capset", header.array(), sets.array());
  }

  private static void call(String name, Object... arguments) {
    Function function = LibC.function(name);
    if (function.invokeInt(arguments) != 0) {
      throw new KernelException(LibC.lastError(), name + "(2)");
    }
  }
}
