package dev.ply.kernel.attach;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import org.jspecify.annotations.Nullable;

/** Functions of the C library that no Java runtime calls by itself, or not so. */
public final class LibraryCalls {
  static {
    Native.register(LibraryCalls.class, NativeLibrary.getProcess());
  }

  private LibraryCalls() {}

  /** Looks for a variable of the environment; gives an address. */
  public static native long getenv(String name);

  /**
   * Finds files by a pattern; each component that is one makes the function call itself.
   *
   * @param error to be null
   * @param result to receive the result, 256 bytes
   */
  public static native int glob(String pattern, int flags, @Nullable Pointer error, byte[] result);

  /** Calls getppid. */
  public static void parents(int calls) {
    ParentCalls.make(calls);
  }
}
