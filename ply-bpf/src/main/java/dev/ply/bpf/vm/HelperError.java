package dev.ply.bpf.vm;

/** Error numbers that helpers return, negated (include/uapi/asm-generic/errno.h). */
final class HelperError {
  static final int ENOENT = 2;
  static final int E2BIG = 7;
  static final int EAGAIN = 11;
  static final int EFAULT = 14;
  static final int EEXIST = 17;
  static final int EINVAL = 22;
  static final int EOPNOTSUPP = 95;

  private HelperError() {}
}
