package dev.ply.kernel.sys;

import dev.ply.kernel.error.KernelException;
import dev.ply.machine.Architecture;
import dev.ply.machine.UserApi;
import dev.ply.name.Errno;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Syscalls for other users' files and processes, which cannot block as Java's methods can. */
public final class FileCalls {
  private static final UserApi API =
      Architecture.named(System.getProperty("os.arch", ""))
          .map(Architecture::userApi)
          .orElse(UserApi.COMMON);
  private static final long STATX = Syscall.STATX.number();
  private static final long MEMFD_CREATE = Syscall.MEMFD_CREATE.number();
  private static final long PIDFD_OPEN = Syscall.PIDFD_OPEN.number();
  private static final long PIDFD_SEND_SIGNAL = Syscall.PIDFD_SEND_SIGNAL.number();

  private static final int O_CLOEXEC = 0x80000;
  private static final int O_PATH = 0x200000;
  private static final int O_NONBLOCK = API.nonBlocking();
  private static final int O_NOCTTY = API.noControllingTerminal();
  private static final int O_NOFOLLOW = API.noFollow();

  private static final int MFD_CLOEXEC = 1;

  /** Requires Linux 6.3, where a system can refuse files without it. */
  private static final int MFD_NOEXEC_SEAL = 8;

  private static final int AT_EMPTY_PATH = 0x1000;
  private static final int AT_STATX_DONT_SYNC = 0x4000;

  /** PATH_MAX. */
  private static final int LONGEST_PATH = 4096;

  /** STATX_BASIC_STATS. */
  private static final int BASIC_STATS = 0x7ff;

  private static final int STATX_SIZE = 256;

  private FileCalls() {}

  /**
   * Opens a file with O_PATH, without opening its content: FIFOs do not block, devices are not
   * accessed, leases are not broken. It can be inspected, and opened by {@link #reopen} or its
   * {@link #path}.
   *
   * @param follows whether a symbolic link at the end of the path is followed
   */
  public static FileDescriptor openPath(Path path, boolean follows) throws IOException {
    return open(path, O_PATH | (follows ? 0 : O_NOFOLLOW));
  }

  /**
   * Opens a file of a directory as {@link #openPath} does, a symbolic link itself.
   *
   * @param name of the file, no path
   * @param path for messages
   */
  public static FileDescriptor openPathIn(FileDescriptor directory, byte[] name, String path)
      throws IOException {
    NativeMemory bytes = NativeMemory.ofBytes(name);
    try {
      int descriptor =
          LibC.openat(directory.number(), bytes.address(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
      if (descriptor < 0) {
        throw failure(path, LibC.lastError());
      }
      return new FileDescriptor(descriptor, path);
    } finally {
      Reference.reachabilityFence(bytes);
    }
  }

  /** Returns where a symbolic link leads, which {@link #openPathIn} has opened. */
  public static byte[] readLink(FileDescriptor link) throws IOException {
    NativeMemory empty = NativeMemory.ofString("");
    NativeMemory target = NativeMemory.allocate(LONGEST_PATH);
    try {
      int length = LibC.readlinkat(link.number(), empty.address(), target.address(), target.size());
      if (length < 0) {
        throw new IOException(link + ": " + LibC.lastError().message());
      }
      byte[] bytes = new byte[length];
      target.bytes().get(0, bytes);
      return bytes;
    } finally {
      Reference.reachabilityFence(empty);
      Reference.reachabilityFence(target);
    }
  }

  /** Opens a file of {@link #openPath} for reading; fails where that would block. */
  public static FileDescriptor reopen(FileDescriptor opened, Path path) throws IOException {
    try {
      return open(path(opened), O_NONBLOCK | O_NOCTTY);
    } catch (NoSuchFileException | AccessDeniedException e) {
      throw new AccessDeniedException(path.toString());
    }
  }

  /** Returns a path to an open file that is independent of its name. */
  public static Path path(FileDescriptor opened) {
    return Path.of("/proc/self/fd/" + opened.number());
  }

  /** Returns a path to a file of an open directory. */
  public static Path pathIn(FileDescriptor directory, String name) {
    return path(directory).resolve(name);
  }

  /**
   * Creates a file in memory, which ends with its descriptor.
   *
   * @param name for those who list descriptors
   */
  public static FileDescriptor inMemory(String name, byte[] content) throws IOException {
    NativeMemory named = NativeMemory.ofString(name);
    NativeMemory bytes = NativeMemory.of(content);
    try {
      long flags = MFD_CLOEXEC | MFD_NOEXEC_SEAL;
      long descriptor = LibC.syscall(MEMFD_CREATE, named.address(), flags, 0, 0, 0);
      if (descriptor < 0 && LibC.lastError() == Errno.EINVAL) {
        descriptor = LibC.syscall(MEMFD_CREATE, named.address(), MFD_CLOEXEC, 0, 0, 0);
      }
      if (descriptor < 0) {
        throw new IOException("memfd_create: " + LibC.lastError().message());
      }
      FileDescriptor file = new FileDescriptor((int) descriptor, name);
      if (LibC.write(file.number(), bytes.address(), content.length) != content.length) {
        file.close();
        throw new IOException(name + " cannot be written");
      }
      return file;
    } finally {
      Reference.reachabilityFence(named);
      Reference.reachabilityFence(bytes);
    }
  }

  private static FileDescriptor open(Path path, int flags) throws IOException {
    NativeMemory name = NativeMemory.ofString(path.toString());
    try {
      int descriptor = LibC.open(name.address(), flags | O_CLOEXEC);
      if (descriptor < 0) {
        throw failure(path.toString(), LibC.lastError());
      }
      return new FileDescriptor(descriptor, path.toString());
    } finally {
      Reference.reachabilityFence(name);
    }
  }

  private static IOException failure(String path, Errno errno) {
    return switch (errno) {
      case ENOENT, ENOTDIR -> new NoSuchFileException(path);
      case EACCES, EPERM -> new AccessDeniedException(path);
      default -> new IOException(path + ": " + errno.clause());
    };
  }

  /** Returns the {@code struct statx} of an open file. */
  public static NativeMemory statx(FileDescriptor opened) throws IOException {
    return statx(opened, AT_EMPTY_PATH);
  }

  /**
   * Returns the {@code struct statx} of an open file as far as the kernel knows it: nobody who
   * serves its file system is asked.
   */
  public static NativeMemory cachedStatx(FileDescriptor opened) throws IOException {
    return statx(opened, AT_EMPTY_PATH | AT_STATX_DONT_SYNC);
  }

  private static NativeMemory statx(FileDescriptor opened, int flags) throws IOException {
    NativeMemory empty = NativeMemory.ofString("");
    NativeMemory statx = NativeMemory.allocate(STATX_SIZE);
    try {
      int number = opened.number();
      if (LibC.syscall(STATX, number, empty.address(), flags, BASIC_STATS, statx.address()) < 0) {
        throw new IOException(opened + ": " + LibC.lastError().message());
      }
      return statx;
    } finally {
      Reference.reachabilityFence(empty);
      Reference.reachabilityFence(statx);
    }
  }

  /**
   * Reads from an offset of an open file into memory, from its start.
   *
   * @return the bytes read, 0 at the end of the file
   */
  public static int read(FileDescriptor opened, NativeMemory memory, int count, long offset)
      throws IOException {
    try {
      long read = LibC.pread(opened.number(), memory.address(), count, offset);
      if (read < 0) {
        throw new IOException(opened + ": " + LibC.lastError().message());
      }
      return (int) read;
    } finally {
      Reference.reachabilityFence(memory);
    }
  }

  /** Opens a pidfd, which never refers to a later process of the same PID. Requires Linux 5.3. */
  public static FileDescriptor openProcess(int pid) {
    long descriptor = LibC.syscall(PIDFD_OPEN, pid, 0, 0, 0, 0);
    if (descriptor < 0) {
      throw new KernelException(LibC.lastError(), "pidfd_open of process " + pid);
    }
    return new FileDescriptor((int) descriptor, "process " + pid);
  }

  /** Sends a signal to a process. */
  public static void signal(FileDescriptor process, int signal) {
    if (LibC.syscall(PIDFD_SEND_SIGNAL, process.number(), signal, 0, 0, 0) < 0) {
      throw new KernelException(LibC.lastError(), "signal to " + process);
    }
  }
}
