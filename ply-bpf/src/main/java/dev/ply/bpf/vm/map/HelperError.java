package dev.ply.bpf.vm.map;

/** Error numbers that helpers return, negated (include/uapi/asm-generic/errno.h). */
public final class HelperError {
  public static final int ENOENT = 2;
  public static final int E2BIG = 7;
  public static final int EAGAIN = 11;
  public static final int EFAULT = 14;
  static final int EEXIST = 17;
  public static final int EINVAL = 22;
  static final int EOPNOTSUPP = 95;

  private HelperError() {}
}
