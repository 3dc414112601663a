package dev.ply.kernel.sys;

import java.util.Locale;

/**
 * The system calls that have no function in the C library, with their numbers per architecture (the
 * kernel's syscall.tbl files and include/uapi/asm-generic/unistd.h).
 */
enum Syscall {
  /** Opens a performance event. */
  PERF_EVENT_OPEN(298, 241, 364, 319, 331, 5292),
  /** Waits for other CPUs. */
  MEMBARRIER(324, 283, 389, 365, 356, 5318),
  /** All of BPF. */
  BPF(321, 280, 386, 361, 351, 5315),
  /** Begins to describe a file system to be mounted. Needs kernel 5.2. */
  FSOPEN(430, 430, 430, 430, 430, 5430),
  /** Goes on describing it. */
  FSCONFIG(431, 431, 431, 431, 431, 5431),
  /** Mounts it, nowhere. */
  FSMOUNT(432, 432, 432, 432, 432, 5432),
  /** Reports facts about a file in one layout for all architectures. */
  STATX(332, 291, 397, 383, 379, 5326),
  /** Opens a descriptor of a process, which no later process of its number has. */
  PIDFD_OPEN(434, 434, 434, 434, 434, 5434),
  /** Sends a signal to the process of a descriptor. */
  PIDFD_SEND_SIGNAL(424, 424, 424, 424, 424, 5424);

  private final int x86;
  private final int generic;
  private final int arm;
  private final int powerPc;
  private final int s390;
  private final int mips;

  Syscall(int x86, int generic, int arm, int powerPc, int s390, int mips) {
    this.x86 = x86;
    this.generic = generic;
    this.arm = arm;
    this.powerPc = powerPc;
    this.s390 = s390;
    this.mips = mips;
  }

  /**
   * Returns the number on an architecture, by the name that the system property {@code os.arch} has
   * for it.
   *
   * @throws UnsupportedOperationException on an unknown architecture
   */
  int number(String architecture) {
    return switch (architecture.toLowerCase(Locale.ROOT)) {
      case "amd64", "x86_64" -> x86;
      case "aarch64", "riscv64", "riscv32", "loongarch64" -> generic;
      case "arm" -> arm;
      case "ppc", "ppc64", "ppc64le" -> powerPc;
      case "s390x" -> s390;
      case "mips64", "mips64el" -> mips;
      default ->
          throw new UnsupportedOperationException(
              "the system calls of the architecture \"" + architecture + "\" are unknown");
    };
  }
}
