package dev.ply.bpf.object;

import com.google.common.collect.ImmutableTable;
import com.google.common.collect.Table;
import dev.ply.bpf.isa.Helper;
import dev.ply.target.KernelVersion;
import java.util.Optional;

/**
 * The program types in use, with the kernel's numbers (enum bpf_prog_type and bpf_attach_type in
 * include/uapi/linux/bpf.h).
 */
public enum ProgramType {
  /**
   * Kernel and user function probes, single or many at once; the context is the saved registers.
   */
  KPROBE(2, 0),
  /** Tracepoints through perf; the context is the event's record. Needs kernel 4.7. */
  TRACEPOINT(5, 0),
  /** Perf events: samples, timers. Needs kernel 4.9. */
  PERF_EVENT(7, 0),
  /**
   * Raw tracepoints, and programs run on request; the context is an array of 64-bit arguments.
   * Needs kernel 4.17.
   */
  RAW_TRACEPOINT(17, 0),
  /**
   * Entries of kernel functions, known by BTF; the context is an array of 64-bit arguments, the
   * result must be 0. Needs kernel 5.5.
   */
  FENTRY(26, 24),
  /**
   * Exits of kernel functions, known by BTF; the context is an array of 64-bit arguments and behind
   * them the return value, the result must be 0. Needs kernel 5.5.
   */
  FEXIT(26, 25),
  /**
   * Raw tracepoints, known by BTF; the context is an array of 64-bit arguments, of which programs
   * may load from those that point to structures. Needs kernel 5.5.
   */
  TYPED_TRACEPOINT(26, 23);

  /** What differs from {@link Helper#since}: the version, or none where it is missing for good. */
  private static final Table<Helper, ProgramType, Optional<KernelVersion>> EXCEPTIONS =
      exceptions();

  private final int number;
  private final int attachType;

  ProgramType(int number, int attachType) {
    this.number = number;
    this.attachType = attachType;
  }

  /** Returns the kernel's number. */
  public int number() {
    return number;
  }

  /**
   * Returns the kernel's number for how programs are attached, which some have to be loaded for.
   */
  public int attachType() {
    return attachType;
  }

  /** Tells whether such programs belong to one kernel function, told by its BTF id at loading. */
  public boolean isForOneFunction() {
    return this == FENTRY || this == FEXIT;
  }

  /** Returns the first kernel in which such programs may call {@code helper}, if any does. */
  public Optional<KernelVersion> offers(Helper helper) {
    Optional<KernelVersion> exception = EXCEPTIONS.get(helper, this);
    return exception != null ? exception : Optional.of(helper.since());
  }

  private static Table<Helper, ProgramType, Optional<KernelVersion>> exceptions() {
    var table = ImmutableTable.<Helper, ProgramType, Optional<KernelVersion>>builder();
    for (ProgramType type : values()) {
      boolean tracing = type.isForOneFunction();
      putUnless(table, type, type == KPROBE, Helper.OVERRIDE_RETURN);
      putUnless(
          table, type, type == PERF_EVENT, Helper.PERF_PROG_READ_VALUE, Helper.READ_BRANCH_RECORDS);
      putUnless(table, type, tracing || type == KPROBE, Helper.GET_FUNC_IP);
      putUnless(table, type, tracing, Helper.GET_FUNC_ARG, Helper.GET_FUNC_ARG_CNT);
      putUnless(table, type, type == FEXIT, Helper.GET_FUNC_RET);
    }
    // Linux 5.19: bpf_get_attach_cookie for fentry and fexit; 6.10: for raw tracepoints.
    Optional<KernelVersion> withTracing = Optional.of(new KernelVersion(5, 19, 0));
    table.put(Helper.GET_ATTACH_COOKIE, FENTRY, withTracing);
    table.put(Helper.GET_ATTACH_COOKIE, FEXIT, withTracing);
    Optional<KernelVersion> withRaw = Optional.of(new KernelVersion(6, 10, 0));
    table.put(Helper.GET_ATTACH_COOKIE, RAW_TRACEPOINT, withRaw);
    table.put(Helper.GET_ATTACH_COOKIE, TYPED_TRACEPOINT, withRaw);
    return table.buildOrThrow();
  }

  private static void putUnless(
      ImmutableTable.Builder<Helper, ProgramType, Optional<KernelVersion>> table,
      ProgramType type,
      boolean offered,
      Helper... helpers) {
    if (!offered) {
      for (Helper helper : helpers) {
        table.put(helper, type, Optional.empty());
      }
    }
  }
}
