package dev.ply.kernel.sys;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import dev.ply.kernel.Errno;

/**
 * The functions of the C library in use, mapped directly. Addresses are longs: only 64-bit
 * processes can load this class usefully.
 */
final class LibC {
  static {
    // The process has the C library already, whatever its file is called here.
    Native.register(LibC.class, NativeLibrary.getProcess());
  }

  private LibC() {}

  static native long syscall(
      long number, long first, long second, long third, long fourth, long fifth);

  static native int open(long path, int flags);

  static native int close(int descriptor);

  static native long mmap(
      long address, long length, int protection, int flags, int descriptor, long offset);

  static native int munmap(long address, long length);

  static native int ioctl(int descriptor, long request, long argument);

  static native int poll(long descriptors, long count, int milliseconds);

  static native int eventfd(int initial, int flags);

  static native long read(int descriptor, long buffer, long count);

  static native long write(int descriptor, long buffer, long count);

  static native long memmem(long text, long length, long sought, long soughtLength);

  static native int getpagesize();

  static native int clock_gettime(int clock, long time);

  static native int setrlimit(int resource, long limits);

  /** Returns why the last call of this thread failed. */
  static Errno lastError() {
    return Errno.of(Native.getLastError());
  }
}
