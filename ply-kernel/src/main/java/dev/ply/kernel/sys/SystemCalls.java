package dev.ply.kernel.sys;

import dev.ply.kernel.error.KernelException;
import dev.ply.machine.Architecture;
import dev.ply.machine.UserApi;
import dev.ply.name.Errno;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The syscalls of a tracer, with typed arguments and errors. */
public final class SystemCalls {
  private static final int SIGINT = 2;
  private static final long SIG_DFL = 0;
  private static final long SIG_IGN = 1;

  /** Larger than {@code struct sigaction} on any system. */
  private static final int SIGACTION_BYTES = 256;

  private static final UserApi API =
      Architecture.named(System.getProperty("os.arch", ""))
          .map(Architecture::userApi)
          .orElse(UserApi.COMMON);
  private static final long BPF = Syscall.BPF.number();
  private static final long PERF_EVENT_OPEN = Syscall.PERF_EVENT_OPEN.number();

  private static final long MEMBARRIER = Syscall.MEMBARRIER.number();

  private static final long FSOPEN = Syscall.FSOPEN.number();
  private static final long FSCONFIG = Syscall.FSCONFIG.number();
  private static final long FSMOUNT = Syscall.FSMOUNT.number();

  private static final int FSCONFIG_CMD_CREATE = 6;

  /** FSOPEN_CLOEXEC and FSMOUNT_CLOEXEC. */
  private static final int CLOEXEC = 1;

  private static final int MEMBARRIER_GLOBAL = 1;
  private static final int PERF_FLAG_FD_CLOEXEC = 8;
  private static final int PROT_READ = 1;
  private static final int PROT_WRITE = 2;
  private static final int MAP_SHARED = 1;
  private static final long RLIM_INFINITY = -1;
  private static final int EFD_CLOEXEC_NONBLOCK = 0x80000 | 0x800;
  private static final int O_WRONLY = 1;
  private static final int O_APPEND = API.append();
  private static final int O_CLOEXEC = 0x80000;

  private SystemCalls() {}

  /** Calls bpf(2) where failure is expected. */
  public static Errno tryBpf(BpfCommand command, BpfAttr attr) {
    return bpf(command, attr) < 0 ? LibC.lastError() : Errno.NONE;
  }

  /**
   * Calls bpf(2) for a descriptor. Before Linux 5.11, maps and programs count as locked memory; if
   * its limit is reached, it is raised if permitted.
   *
   * @param object the object, for messages: {@code map "stats"}
   */
  public static FileDescriptor openBpf(BpfCommand command, BpfAttr attr, String object) {
    int descriptor = bpf(command, attr);
    if (descriptor < 0) {
      Errno errno = LibC.lastError();
      if (errno == Errno.EPERM && liftMemoryLimit()) {
        descriptor = bpf(command, attr);
        errno = descriptor < 0 ? LibC.lastError() : Errno.NONE;
      }
      if (!errno.isSuccess()) {
        throw new KernelException(errno, "bpf(" + command + ") of " + object);
      }
    }
    return new FileDescriptor(descriptor, object);
  }

  /** Calls bpf(2) for its effect. */
  public static void bpf(BpfCommand command, BpfAttr attr, String object) {
    if (bpf(command, attr) < 0) {
      throw new KernelException(LibC.lastError(), "bpf(" + command + ") of " + object);
    }
  }

  /** Opens a perf event of all processes on one CPU. */
  public static FileDescriptor openPerfEvent(PerfEventAttr attr, int cpu, String object) {
    return openPerfEvent(attr, -1, cpu, object);
  }

  /** Opens a perf event of one process on all CPUs. */
  public static FileDescriptor openPerfEventOfProcess(PerfEventAttr attr, int pid, String object) {
    return openPerfEvent(attr, pid, -1, object);
  }

  /** Opens a perf event of the calling thread on all CPUs. */
  public static FileDescriptor openPerfEventOfThisThread(PerfEventAttr attr, String object) {
    return openPerfEvent(attr, 0, -1, object);
  }

  private static FileDescriptor openPerfEvent(PerfEventAttr attr, int pid, int cpu, String object) {
    try {
      long descriptor =
          LibC.syscall(PERF_EVENT_OPEN, attr.address(), pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
      if (descriptor < 0) {
        throw new KernelException(LibC.lastError(), "perf_event_open of " + object);
      }
      return new FileDescriptor((int) descriptor, object);
    } finally {
      Reference.reachabilityFence(attr);
    }
  }

  /**
   * Waits until all non-preemptible code currently running, such as programs, has finished on all
   * CPUs. Not available with nohz_full CPUs.
   */
  public static Errno tryAwaitAllCpus() {
    return LibC.syscall(MEMBARRIER, MEMBARRIER_GLOBAL, 0, 0, 0, 0) < 0
        ? LibC.lastError()
        : Errno.NONE;
  }

  /** Calls ioctl(2). */
  public static void ioctl(
      FileDescriptor descriptor, PerfRequest request, long argument, String operation) {
    if (LibC.ioctl(descriptor.number(), request.number(API), argument) < 0) {
      throw new KernelException(LibC.lastError(), operation);
    }
  }

  /** Maps a descriptor's memory read-only. */
  public static MappedMemory mapReadOnly(int descriptor, long offset, long length, String object) {
    return map(descriptor, PROT_READ, offset, length, object);
  }

  /** Maps a descriptor's memory read-write. */
  public static MappedMemory mapWritable(int descriptor, long offset, long length, String object) {
    return map(descriptor, PROT_READ | PROT_WRITE, offset, length, object);
  }

  /**
   * Appends a line to a file by one write(2): the kernel's control files parse each write
   * separately.
   *
   * @param operation the purpose, for messages
   */
  public static void append(Path file, String line, String operation) {
    NativeMemory path = NativeMemory.ofString(file.toString());
    byte[] content = line.getBytes(StandardCharsets.UTF_8);
    NativeMemory text = NativeMemory.of(content);
    try (FileDescriptor opened =
        descriptor(LibC.open(path.address(), O_WRONLY | O_APPEND | O_CLOEXEC), operation)) {
      if (LibC.write(opened.number(), text.address(), content.length) != content.length) {
        throw new KernelException(LibC.lastError(), operation);
      }
    } finally {
      Reference.reachabilityFence(path);
      Reference.reachabilityFence(text);
    }
  }

  /** Returns the time of a clock in nanoseconds. */
  public static long clock(Clock clock) {
    NativeMemory time = NativeMemory.allocate(2 * Long.BYTES);
    if (LibC.clock_gettime(clock.number(), time.address()) != 0) {
      throw new KernelException(LibC.lastError(), "clock_gettime");
    }
    return time.bytes().getLong(0) * 1_000_000_000 + time.bytes().getLong(Long.BYTES);
  }

  /** Returns the page size in bytes. */
  public static int pageSize() {
    return LibC.getpagesize();
  }

  /** Returns whether this process can open another descriptor. */
  public static boolean canOpen() {
    int descriptor = LibC.eventfd(0, EFD_CLOEXEC_NONBLOCK);
    if (descriptor < 0) {
      return LibC.lastError() != Errno.EMFILE;
    }
    close(descriptor);
    return true;
  }

  /** Opens an eventfd. */
  public static FileDescriptor openEvent() {
    int descriptor = LibC.eventfd(0, EFD_CLOEXEC_NONBLOCK);
    if (descriptor < 0) {
      throw new KernelException(LibC.lastError(), "eventfd");
    }
    return new FileDescriptor(descriptor, "event counter");
  }

  /** Adds one to an eventfd, which ends a wait for it. */
  public static void signal(FileDescriptor event) {
    NativeMemory one = NativeMemory.allocate(Long.BYTES);
    one.bytes().putLong(0, 1);
    try {
      if (LibC.write(event.number(), one.address(), Long.BYTES) < 0) {
        unlessAgain("write to an event counter");
      }
    } finally {
      Reference.reachabilityFence(one);
    }
  }

  /** Returns the count of a perf event. */
  public static long count(FileDescriptor event) {
    NativeMemory count = NativeMemory.allocate(Long.BYTES);
    try {
      if (LibC.read(event.number(), count.address(), Long.BYTES) != Long.BYTES) {
        throw new KernelException(LibC.lastError(), "read of " + event);
      }
      return count.bytes().getLong(0);
    } finally {
      Reference.reachabilityFence(count);
    }
  }

  /** Resets an eventfd. */
  public static void reset(FileDescriptor event) {
    NativeMemory count = NativeMemory.allocate(Long.BYTES);
    try {
      if (LibC.read(event.number(), count.address(), Long.BYTES) < 0) {
        unlessAgain("read of an event counter");
      }
    } finally {
      Reference.reachabilityFence(count);
    }
  }

  /**
   * Reads a file to its end and discards what is in it, for the effect: an iterator runs its
   * program meanwhile, and after a million objects asks to be read again.
   */
  public static void readAll(FileDescriptor file) {
    NativeMemory page = NativeMemory.allocate(pageSize());
    try {
      for (int length = 1; length != 0; ) {
        length = (int) LibC.read(file.number(), page.address(), page.size());
        if (length < 0) {
          unlessAgain("read of " + file);
        }
      }
    } finally {
      Reference.reachabilityFence(page);
    }
  }

  /**
   * Waits until a descriptor is ready or the timeout expires; returns early after a signal.
   *
   * @param descriptors pollfd structures
   * @param milliseconds negative for no timeout
   */
  public static void poll(NativeMemory descriptors, int count, int milliseconds) {
    try {
      if (LibC.poll(descriptors.address(), count, milliseconds) < 0) {
        unlessAgain("poll");
      }
    } finally {
      Reference.reachabilityFence(descriptors);
    }
  }

  /**
   * Mounts a pseudo file system detached from any directory, accessible below {@code /proc/self/fd}
   * while the descriptor is open. Requires Linux 5.2.
   */
  public static FileDescriptor mountNowhere(String type) {
    NativeMemory name = NativeMemory.ofString(type);
    String mount = "mount of " + type;
    try (FileDescriptor context =
        descriptor(LibC.syscall(FSOPEN, name.address(), CLOEXEC, 0, 0, 0), mount)) {
      if (LibC.syscall(FSCONFIG, context.number(), FSCONFIG_CMD_CREATE, 0, 0, 0) < 0) {
        throw new KernelException(LibC.lastError(), mount);
      }
      return descriptor(
          LibC.syscall(/* number= */ FSMOUNT, /* first= */ context.number(), CLOEXEC, 0, 0, 0),
          mount);
    } finally {
      Reference.reachabilityFence(name);
    }
  }

  private static FileDescriptor descriptor(long number, String object) {
    if (number < 0) {
      throw new KernelException(LibC.lastError(), object);
    }
    return new FileDescriptor((int) number, object);
  }

  static void close(int descriptor) {
    int unused = LibC.close(descriptor);
  }

  static void unmap(long address, long length) {
    int unused = LibC.munmap(address, length);
  }

  private static int bpf(BpfCommand command, BpfAttr attr) {
    try {
      return (int) LibC.syscall(BPF, command.number(), attr.address(), BpfAttr.SIZE, 0, 0);
    } finally {
      Reference.reachabilityFence(attr);
    }
  }

  private static boolean liftMemoryLimit() {
    NativeMemory limits = NativeMemory.allocate(2 * Long.BYTES);
    limits.bytes().putLong(0, RLIM_INFINITY).putLong(Long.BYTES, RLIM_INFINITY);
    int resource = API.lockedMemory();
    try {
      return LibC.setrlimit(resource, limits.address()) == 0;
    } finally {
      Reference.reachabilityFence(limits);
    }
  }

  /** Restores the default action of SIGINT if it is ignored. */
  public static void heedInterrupt() {
    NativeMemory action = NativeMemory.allocate(SIGACTION_BYTES);
    int handler = API.handlerOffset();
    try {
      if (LibC.sigaction(SIGINT, 0, action.address()) == 0
          && action.bytes().getLong(handler) == SIG_IGN
          && LibC.signal(SIGINT, SIG_DFL) < 0) {
        throw new KernelException(LibC.lastError(), "signal(SIGINT)");
      }
    } finally {
      Reference.reachabilityFence(action);
    }
  }

  /** Throws unless the last call failed with EAGAIN or EINTR. */
  private static void unlessAgain(String operation) {
    Errno errno = LibC.lastError();
    if (errno != Errno.EAGAIN && errno != Errno.EINTR) {
      throw new KernelException(errno, operation);
    }
  }

  private static MappedMemory map(
      int descriptor, int protection, long offset, long length, String object) {
    long address = LibC.mmap(0, length, protection, MAP_SHARED, descriptor, offset);
    if (address == -1) {
      throw new KernelException(LibC.lastError(), "mmap of " + object);
    }
    return new MappedMemory(address, length);
  }
}
