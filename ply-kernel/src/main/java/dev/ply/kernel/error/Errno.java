package dev.ply.kernel.error;

/**
 * The kernel's error numbers that tracing meets (include/uapi/asm-generic/errno-base.h and errno.h;
 * {@code ENOTSUPP} is the kernel's own).
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
  /** A signal interrupted the call. */
  EINTR(4, "interrupted system call"),
  /** Input or output failed. */
  EIO(5, "input/output error"),
  /** No such device. */
  ENXIO(6, "no such device or address"),
  /** Too many bytes of arguments. */
  E2BIG(7, "argument list too long"),
  /** The descriptor is not open. */
  EBADF(9, "bad file descriptor"),
  /** Not now: try again. */
  EAGAIN(11, "resource temporarily unavailable"),
  /** Out of memory. */
  ENOMEM(12, "cannot allocate memory"),
  /** Permission denied; from the verifier, an access that is not allowed. */
  EACCES(13, "permission denied"),
  /** An address outside the process. */
  EFAULT(14, "bad address"),
  /** In use. */
  EBUSY(16, "device or resource busy"),
  /** There is one already. */
  EEXIST(17, "already exists"),
  /** No such device. */
  ENODEV(19, "no such device"),
  /** Not a directory. */
  ENOTDIR(20, "not a directory"),
  /** An argument has a value that the kernel does not accept. */
  EINVAL(22, "invalid argument"),
  /** The system has too many open files. */
  ENFILE(23, "too many open files in system"),
  /** The process has too many open files. */
  EMFILE(24, "too many open files"),
  /** The descriptor does not know the request. */
  ENOTTY(25, "inappropriate ioctl for device"),
  /** Too big. */
  EFBIG(27, "too large"),
  /** No room in the given buffer. */
  ENOSPC(28, "no space left"),
  /** Cannot be written. */
  EROFS(30, "read-only file system"),
  /** Outside the range of the result. */
  ERANGE(34, "result out of range"),
  /** A name is too long. */
  ENAMETOOLONG(36, "name too long"),
  /** The kernel lacks the call. */
  ENOSYS(38, "function not implemented"),
  /** A value does not fit its type. */
  EOVERFLOW(75, "value too large"),
  /** A descriptor's state does not allow it. */
  EBADFD(77, "file descriptor in bad state"),
  /** A sequence of bytes that is none; of code, not the start of an instruction. */
  EILSEQ(84, "illegal byte sequence"),
  /** The kernel cannot do that. */
  EOPNOTSUPP(95, "operation not supported"),
  /** An address that no probe may stand on. */
  EADDRNOTAVAIL(99, "cannot assign address"),
  /** The wait is over. */
  ETIMEDOUT(110, "timed out"),
  /** The operation was cancelled. */
  ECANCELED(125, "operation cancelled"),
  /** The kernel cannot do that; its internal number. */
  ENOTSUPP(524, "operation not supported"),
  /** Any number that is not in this list. */
  UNKNOWN(-1, "unknown error");

  private final int number;
  private final String message;

  Errno(int number, String message) {
    this.number = number;
    this.message = message;
  }

  /** Returns the error of that number, {@link #UNKNOWN} if it is not listed. */
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

  /** Returns what it means, in lower case. */
  public String message() {
    return message;
  }

  /** Tells whether this stands for success. */
  public boolean isSuccess() {
    return this == NONE;
  }

  /** Tells whether this says that the kernel does not know or support an operation. */
  public boolean isUnsupported() {
    return this == EINVAL || this == ENOTSUPP || this == EOPNOTSUPP || this == ENOSYS;
  }

  /** Returns message and name, as in {@code operation not permitted (EPERM)}. */
  @Override
  public String toString() {
    return message + " (" + name() + ")";
  }
}
