package dev.ply.kernel.sys;

import dev.ply.machine.Architecture;
import dev.ply.machine.SystemCallTable;

/**
 * The syscalls without a function in the C library, with their numbers per architecture (the
 * kernel's syscall.tbl files and include/uapi/asm-generic/unistd.h).
 */
enum Syscall {
  /** Opens a perf event. */
  PERF_EVENT_OPEN(298, 241, 364, 319, 331, 5292),
  /** A memory barrier on all CPUs. */
  MEMBARRIER(324, 283, 389, 365, 356, 5318),
  /** The BPF subsystem. */
  BPF(321, 280, 386, 361, 351, 5315),
  /** Starts the configuration of a file system. Requires Linux 5.2. */
  FSOPEN(430, 430, 430, 430, 430, 5430),
  /** Configures a file system. */
  FSCONFIG(431, 431, 431, 431, 431, 5431),
  /** Mounts a file system, detached from any directory. */
  FSMOUNT(432, 432, 432, 432, 432, 5432),
  /** Reports facts about a file in one layout for all architectures. */
  STATX(332, 291, 397, 383, 379, 5326),
  /** Opens a pidfd. */
  PIDFD_OPEN(434, 434, 434, 434, 434, 5434),
  /** Sends a signal through a pidfd. */
  PIDFD_SEND_SIGNAL(424, 424, 424, 424, 424, 5424),
  /** Creates a file in memory. */
  MEMFD_CREATE(319, 279, 385, 360, 350, 5314);

  private static final String NAME = System.getProperty("os.arch", "");

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
   * Returns the number on this machine.
   *
   * @throws UnsupportedOperationException on an unknown architecture
   */
  int number() {
    return number(
        Architecture.named(NAME).map(Architecture::systemCalls).orElse(SystemCallTable.UNKNOWN));
  }

  private int number(SystemCallTable table) {
    return switch (table) {
      case X86_64 -> x86;
      case GENERIC, GENERIC_IN_PART -> generic;
      case ARM -> arm;
      case POWER -> powerPc;
      case S390 -> s390;
      case MIPS_N64 -> mips;
      case UNKNOWN ->
          throw new UnsupportedOperationException(
              "the system calls of the architecture \"" + NAME + "\" are unknown");
    };
  }
}
