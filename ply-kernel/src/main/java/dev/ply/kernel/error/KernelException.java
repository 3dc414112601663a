package dev.ply.kernel.error;

import dev.ply.name.Errno;

/** Thrown for an operation that the kernel refused. */
public final class KernelException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Errno errno;

  /**
   * Creates the exception; the message has operation and reason: {@code bpf(MAP_CREATE) of "stats":
   * operation not permitted}.
   *
   * @param errno the reason
   * @param operation what was attempted, on what
   */
  public KernelException(Errno errno, String operation) {
    super(operation + ": " + errno.clause());
    this.errno = errno;
  }

  /** Adds likely reasons to a refusal. */
  KernelException(KernelException refusal, String reasons) {
    super(refusal.getMessage() + ": " + reasons, refusal);
    this.errno = refusal.errno;
  }

  /** {@return the kernel's error} */
  public Errno errno() {
    return errno;
  }
}
