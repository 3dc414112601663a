package dev.ply.kernel.attach;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;

/** The system call getppid(2), which no Java runtime makes by itself: something to count. */
final class ParentCalls {
  static {
    Native.register(ParentCalls.class, NativeLibrary.getProcess());
  }

  private ParentCalls() {}

  static native int getppid();

  static void make(int calls) {
    for (int i = 0; i < calls; i++) {
      int unused = getppid();
    }
  }

  private static boolean isX86() {
    return System.getProperty("os.arch", "").equals("amd64");
  }

  /** Returns the call's number on x86-64, or that of the newer architectures. */
  static int number() {
    return isX86() ? 110 : 173;
  }

  /** Returns the kernel's function for the call. */
  static String function() {
    return switch (System.getProperty("os.arch", "")) {
      case "amd64" -> "__x64_sys_getppid";
      case "aarch64" -> "__arm64_sys_getppid";
      case "riscv64" -> "__riscv_sys_getppid";
      default -> "sys_getppid";
    };
  }
}
