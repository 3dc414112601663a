package dev.ply.bpf.vm.map;

/** Error numbers that helpers return, negated (include/uapi/asm-generic/errno.h). */
public final class HelperError {
  /** No such entry. */
  public static final int ENOENT = 2;

  /** No room for another entry. */
  public static final int E2BIG = 7;

  /** Try again. */
  public static final int EAGAIN = 11;

  /** Unreadable memory. */
  public static final int EFAULT = 14;

  static final int EEXIST = 17;

  /** An invalid argument. */
  public static final int EINVAL = 22;

  static final int EOPNOTSUPP = 95;

  private HelperError() {}
}
