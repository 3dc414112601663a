package dev.ply.kernel.attach;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;

/** Functions of the C library that no Java runtime calls by itself, or not so. */
public final class LibraryCalls {
  static {
    Native.register(LibraryCalls.class, NativeLibrary.getProcess());
  }

  private LibraryCalls() {}

  /** Looks for a variable of the environment; gives an address. */
  public static native long getenv(String name);

  /** Calls getppid. */
  public static void parents(int calls) {
    ParentCalls.make(calls);
  }
}
