package dev.ply.kernel.sys;

import com.sun.jna.Function;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import dev.ply.result.Errno;

/**
 * The functions of the C library in use. Addresses are longs: only for 64-bit processes.
 *
 * <p>Called through JNA's Function, which takes a microsecond more per call than registered
 * methods: registering any makes JNA create structures by reflection, for which a starting JVM
 * generates classes.
 */
final class LibC {
  // The C library is already loaded, whatever its file name.
  private static final NativeLibrary LIBRARY = NativeLibrary.getProcess();

  private static final Function SYSCALL = LIBRARY.getFunction("syscall");
  private static final Function OPEN = LIBRARY.getFunction("open");
  private static final Function CLOSE = LIBRARY.getFunction("close");
  private static final Function MMAP = LIBRARY.getFunction("mmap");
  private static final Function MUNMAP = LIBRARY.getFunction("munmap");
  private static final Function IOCTL = LIBRARY.getFunction("ioctl");
  private static final Function POLL = LIBRARY.getFunction("poll");
  private static final Function EVENTFD = LIBRARY.getFunction("eventfd");
  private static final Function PREAD = LIBRARY.getFunction("pread");
  private static final Function READ = LIBRARY.getFunction("read");
  private static final Function WRITE = LIBRARY.getFunction("write");
  private static final Function MEMMEM = LIBRARY.getFunction("memmem");
  private static final Function GETPAGESIZE = LIBRARY.getFunction("getpagesize");
  private static final Function CLOCK_GETTIME = LIBRARY.getFunction("clock_gettime");
  private static final Function SETRLIMIT = LIBRARY.getFunction("setrlimit");
  private static final Function SIGACTION = LIBRARY.getFunction("sigaction");
  private static final Function SIGNAL = LIBRARY.getFunction("signal");
  private static final Function PIPE2 = LIBRARY.getFunction("pipe2");
  private static final Function KILL = LIBRARY.getFunction("kill");
  private static final Function WAITPID = LIBRARY.getFunction("waitpid");

  private LibC() {}

  static long syscall(long number, long first, long second, long third, long fourth, long fifth) {
    return toLong(SYSCALL, number, first, second, third, fourth, fifth);
  }

  static int open(long path, int flags) {
    return toInt(OPEN, path, flags);
  }

  static int close(int descriptor) {
    return toInt(CLOSE, descriptor);
  }

  static long mmap(
      long address, long length, int protection, int flags, int descriptor, long offset) {
    return toLong(MMAP, address, length, protection, flags, descriptor, offset);
  }

  static int munmap(long address, long length) {
    return toInt(MUNMAP, address, length);
  }

  static int ioctl(int descriptor, long request, long argument) {
    return toInt(IOCTL, descriptor, request, argument);
  }

  static int poll(long descriptors, long count, int milliseconds) {
    return toInt(POLL, descriptors, count, milliseconds);
  }

  static int eventfd(int initial, int flags) {
    return toInt(EVENTFD, initial, flags);
  }

  static long pread(int descriptor, long buffer, long count, long offset) {
    return toLong(PREAD, descriptor, buffer, count, offset);
  }

  static long read(int descriptor, long buffer, long count) {
    return toLong(READ, descriptor, buffer, count);
  }

  static long write(int descriptor, long buffer, long count) {
    return toLong(WRITE, descriptor, buffer, count);
  }

  static long memmem(long text, long length, long sought, long soughtLength) {
    return toLong(MEMMEM, text, length, sought, soughtLength);
  }

  static int getpagesize() {
    return toInt(GETPAGESIZE);
  }

  static int clock_gettime(int clock, long time) {
    return toInt(CLOCK_GETTIME, clock, time);
  }

  static int setrlimit(int resource, long limits) {
    return toInt(SETRLIMIT, resource, limits);
  }

  static int sigaction(int signal, long action, long former) {
    return toInt(SIGACTION, signal, action, former);
  }

  static long signal(int signal, long handler) {
    return toLong(SIGNAL, signal, handler);
  }

  static int pipe2(long descriptors, int flags) {
    return toInt(PIPE2, descriptors, flags);
  }

  static int kill(int process, int signal) {
    return toInt(KILL, process, signal);
  }

  static int waitpid(int process, long status, int options) {
    return toInt(WAITPID, process, status, options);
  }

  /** Returns a function that not every C library has, or that is rarely called. */
  static Function function(String name) {
    return LIBRARY.getFunction(name);
  }

  /** Returns the errno of this thread's last call. */
  static Errno lastError() {
    return Errno.of(Native.getLastError());
  }

  private static long toLong(Function function, Object... arguments) {
    return function.invokeLong(arguments);
  }

  private static int toInt(Function function, Object... arguments) {
    return function.invokeInt(arguments);
  }
}
