package dev.ply.kernel.error;

/**
 * Error numbers of syscalls used for tracing (include/uapi/asm-generic/errno-base.h and errno.h;
 * {@code ENOTSUPP} is internal to the kernel).
 */
public enum Errno {
  /** No error. */
  NONE(0, "success"),
  /** Operation not permitted. */
  EPERM(1, "operation not permitted"),
  /** No such file, function, entry or key. */
  ENOENT(2, "no such file or entry"),
  /** No such process. */
  ESRCH(3, "no such process"),
  /** Interrupted by a signal. */
  EINTR(4, "interrupted system call"),
  /** I/O error. */
  EIO(5, "input/output error"),
  /** No such device. */
  ENXIO(6, "no such device or address"),
  /** Too many bytes of arguments. */
  E2BIG(7, "argument list too long"),
  /** An invalid executable. */
  ENOEXEC(8, "exec format error"),
  /** The descriptor is not open. */
  EBADF(9, "bad file descriptor"),
  /** No such child process. */
  ECHILD(10, "no child process"),
  /** Try again. */
  EAGAIN(11, "resource temporarily unavailable"),
  /** Out of memory. */
  ENOMEM(12, "cannot allocate memory"),
  /** Permission denied; from the verifier, an access that is not allowed. */
  EACCES(13, "permission denied"),
  /** An address outside the process. */
  EFAULT(14, "bad address"),
  /** In use. */
  EBUSY(16, "device or resource busy"),
  /** Already exists. */
  EEXIST(17, "already exists"),
  /** No such device. */
  ENODEV(19, "no such device"),
  /** Not a directory. */
  ENOTDIR(20, "not a directory"),
  /** An invalid argument. */
  EINVAL(22, "invalid argument"),
  /** The system-wide limit of open files. */
  ENFILE(23, "too many open files in system"),
  /** The process's limit of open files. */
  EMFILE(24, "too many open files"),
  /** The descriptor does not support the request. */
  ENOTTY(25, "inappropriate ioctl for device"),
  /** Too large. */
  EFBIG(27, "too large"),
  /** The buffer is too small. */
  ENOSPC(28, "no space left"),
  /** A read-only file system. */
  EROFS(30, "read-only file system"),
  /** The pipe has no reader. */
  EPIPE(32, "broken pipe"),
  /** Result out of range. */
  ERANGE(34, "result out of range"),
  /** A name is too long. */
  ENAMETOOLONG(36, "name too long"),
  /** The kernel lacks the syscall. */
  ENOSYS(38, "function not implemented"),
  /** A value does not fit its type. */
  EOVERFLOW(75, "value too large"),
  /** The descriptor's state does not allow the operation. */
  EBADFD(77, "file descriptor in bad state"),
  /** An invalid byte sequence; in code, no instruction boundary. */
  EILSEQ(84, "illegal byte sequence"),
  /** Not supported. */
  EOPNOTSUPP(95, "operation not supported"),
  /** An address that cannot be probed. */
  EADDRNOTAVAIL(99, "cannot assign address"),
  /** Timed out. */
  ETIMEDOUT(110, "timed out"),
  /** The operation was cancelled. */
  ECANCELED(125, "operation cancelled"),
  /** Not supported; internal to the kernel. */
  ENOTSUPP(524, "operation not supported"),
  /** Any other number. */
  UNKNOWN(-1, "unknown error");

  private final int number;
  private final String message;

  Errno(int number, String message) {
    this.number = number;
    this.message = message;
  }

  /** Returns the error of a number, {@link #UNKNOWN} if it is not listed. */
  public static Errno of(int number) {
    for (Errno errno : values()) {
      if (errno.number == number) {
        return errno;
      }
    }
    return UNKNOWN;
  }

  /** Returns the number on most architectures; -1 for {@link #UNKNOWN}. */
  public int number() {
    return number;
  }

  /** Returns the meaning, in lower case. */
  public String message() {
    return message;
  }

  /** Returns whether this is success. */
  public boolean isSuccess() {
    return this == NONE;
  }

  /** Returns whether this means that the kernel does not support an operation. */
  public boolean isUnsupported() {
    return this == EINVAL || this == ENOTSUPP || this == EOPNOTSUPP || this == ENOSYS;
  }

  /** Returns message and name: {@code operation not permitted (EPERM)}. */
  @Override
  public String toString() {
    return message + " (" + name() + ")";
  }
}
