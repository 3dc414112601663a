package dev.ply.kernel.error;

/** An operation that the kernel refused. */
public final class KernelException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Errno errno;

  /**
   * Says what was tried and why it failed, as in {@code bpf(MAP_CREATE) of "stats": operation not
   * permitted}.
   */
  public KernelException(Errno errno, String operation) {
    super(operation + ": " + errno.message());
    this.errno = errno;
  }

  /** Adds to a refusal what is known of its reasons. */
  KernelException(KernelException refusal, String reasons) {
    super(refusal.getMessage() + ": " + reasons, refusal);
    this.errno = refusal.errno;
  }

  /** Returns the kernel's reason. */
  public Errno errno() {
    return errno;
  }
}
