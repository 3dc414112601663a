package dev.ply.kernel.sys;

import com.sun.jna.Function;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import dev.ply.name.Errno;
import java.util.Optional;

/**
 * The functions of the C library in use. Addresses are longs: only for 64-bit processes.
 *
 * <p>Called through JNA's Function, which takes a microsecond more per call than registered
 * methods: registering any makes JNA create structures by reflection, for which a starting JVM
 * generates classes.
 */
final class LibC {
  private static final Call SYSCALL = new Call("syscall");
  private static final Call OPEN = new Call("open");
  private static final Call OPENAT = new Call("openat");
  private static final Call READLINKAT = new Call("readlinkat");
  private static final Call CLOSE = new Call("close");
  private static final Call MMAP = new Call("mmap");
  private static final Call MUNMAP = new Call("munmap");
  private static final Call IOCTL = new Call("ioctl");
  private static final Call POLL = new Call("poll");
  private static final Call EVENTFD = new Call("eventfd");
  private static final Call PREAD = new Call("pread");
  private static final Call READ = new Call("read");
  private static final Call WRITE = new Call("write");
  private static final Call MEMMEM = new Call("memmem");
  private static final Call GETPAGESIZE = new Call("getpagesize");
  private static final Call CLOCK_GETTIME = new Call("clock_gettime");
  private static final Call SETRLIMIT = new Call("setrlimit");
  private static final Call SIGACTION = new Call("sigaction");
  private static final Call SIGNAL = new Call("signal");
  private static final Call SIGPROCMASK = new Call("sigprocmask");
  private static final Call PIPE2 = new Call("pipe2");
  private static final Call KILL = new Call("kill");
  private static final Call WAITPID = new Call("waitpid");

  private LibC() {}

  /** A function, looked up at its first call: classes load without native calls. */
  private static final class Call {
    private final String name;
    private volatile Optional<Function> function = Optional.empty();

    Call(String name) {
      this.name = name;
    }

    Function function() {
      Optional<Function> known = function;
      if (known.isEmpty()) {
        known = Optional.of(LibC.function(name));
        function = known;
      }
      return known.get();
    }
  }

  static long syscall(long number, long first, long second, long third, long fourth, long fifth) {
    return toLong(SYSCALL, number, first, second, third, fourth, fifth);
  }

  static int open(long path, int flags) {
    return toInt(OPEN, path, flags);
  }

  static int openat(int directory, long path, int flags) {
    return toInt(OPENAT, directory, path, flags);
  }

  static int readlinkat(int directory, long path, long target, long size) {
    return (int) toLong(READLINKAT, directory, path, target, size);
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

  static int sigprocmask(int how, long set, long former) {
    return toInt(SIGPROCMASK, how, set, former);
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

  /** Returns the address of this process's environment, as {@code environ}. */
  static long environment() {
    return Pointer.nativeValue(
        NativeCalls.library().getGlobalVariableAddress("environ").getPointer(0));
  }

  /** Returns a function that not every C library has, or that is rarely called. */
  static Function function(String name) {
    return NativeCalls.library().getFunction(name);
  }

  /** Returns the errno of this thread's last call. */
  static Errno lastError() {
    return Errno.of(Native.getLastError());
  }

  private static long toLong(Call call, Object... arguments) {
    return call.function().invokeLong(arguments);
  }

  private static int toInt(Call call, Object... arguments) {
    return call.function().invokeInt(arguments);
  }
}
