package dev.ply.machine;

/** The tables of system call numbers that kernels have. */
public enum SystemCallTable {
  /** That of x86-64. */
  X86_64,
  /** That of architectures without one of their own (include/uapi/asm-generic/unistd.h). */
  GENERIC,
  /** The generic one without calls that others replace. */
  GENERIC_IN_PART,
  /** That of 32-bit Arm. */
  ARM,
  /** That of POWER. */
  POWER,
  /** That of IBM Z. */
  S390,
  /** That of 64-bit MIPS. */
  MIPS_N64,
  /** Not known. */
  UNKNOWN
}
