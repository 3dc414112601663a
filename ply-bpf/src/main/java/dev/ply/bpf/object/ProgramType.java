package dev.ply.bpf.object;

/**
 * The program types in use, with the kernel's numbers (enum bpf_prog_type in
 * include/uapi/linux/bpf.h).
 */
public enum ProgramType {
  /** Kernel and user function probes; the context is the saved registers. */
  KPROBE(2),
  /** Tracepoints through perf; the context is the event's record. Needs kernel 4.7. */
  TRACEPOINT(5),
  /** Perf events: samples, timers. Needs kernel 4.9. */
  PERF_EVENT(7),
  /**
   * Raw tracepoints, and programs run on request; the context is an array of 64-bit arguments.
   * Needs kernel 4.17.
   */
  RAW_TRACEPOINT(17);

  private final int number;

  ProgramType(int number) {
    this.number = number;
  }

  /** Returns the kernel's number. */
  public int number() {
    return number;
  }
}
