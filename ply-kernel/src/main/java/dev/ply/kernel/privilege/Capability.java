package dev.ply.kernel.privilege;

import java.util.Locale;

/** A capability(7) that parts of a trace require, by name and number. */
public enum Capability {
  /** Writing files of root, such as {@code uprobe_events} in tracefs. */
  CAP_DAC_OVERRIDE(1),
  /** Reading files and directories of root, such as tracefs. */
  CAP_DAC_READ_SEARCH(2),
  /** Reading the memory maps of processes of other users or with more capabilities. */
  CAP_SYS_PTRACE(19),
  /** Includes CAP_BPF and CAP_PERFMON. */
  CAP_SYS_ADMIN(21),
  /** Reading kernel addresses. */
  CAP_SYSLOG(34),
  /** Tracing programs and perf events (Linux 5.8). */
  CAP_PERFMON(38),
  /** Loading programs and creating maps (Linux 5.8). */
  CAP_BPF(39);

  private final int number;

  Capability(int number) {
    this.number = number;
  }

  /** Returns whether a mask of {@code /proc/PID/status} contains this capability. */
  boolean isIn(long mask) {
    return (mask >>> number & 1) != 0;
  }

  /** Returns the mask of this capability alone. */
  public long mask() {
    return 1L << number;
  }

  /** Returns the name as setpriv(1) takes it: {@code sys_admin}. */
  String option() {
    return name().substring("CAP_".length()).toLowerCase(Locale.ROOT);
  }
}
