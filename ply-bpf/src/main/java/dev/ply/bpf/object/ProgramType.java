package dev.ply.bpf.object;

import com.google.common.collect.ImmutableTable;
import com.google.common.collect.Table;
import dev.ply.bpf.isa.Helper;
import dev.ply.machine.KernelVersion;
import java.util.Optional;

/** Program types in use (enum bpf_prog_type and bpf_attach_type in include/uapi/linux/bpf.h). */
public enum ProgramType {
  /** Kprobes and uprobes, also kprobe.multi; the context is the saved registers. */
  KPROBE(2, 0),
  /** Tracepoints through perf events; the context is the record. Requires Linux 4.7. */
  TRACEPOINT(5, 0),
  /** Perf events: timers and counters. Requires Linux 4.9. */
  PERF_EVENT(7, 0),
  /**
   * Raw tracepoints, and programs run unattached; the context is an array of 8-byte arguments.
   * Requires Linux 4.17.
   */
  RAW_TRACEPOINT(17, 0),
  /**
   * fentry; the context is an array of 8-byte arguments, the result must be 0. Requires Linux 5.5.
   */
  FENTRY(26, 24),
  /**
   * fexit; the context is an array of 8-byte arguments followed by the result, the program's result
   * must be 0. Requires Linux 5.5.
   */
  FEXIT(26, 25),
  /**
   * Raw tracepoints typed by BTF; the context is an array of 8-byte arguments, of which pointers to
   * structures can be loaded from. Requires Linux 5.5.
   */
  TYPED_TRACEPOINT(26, 23),
  /**
   * Iterators; the context is an array of 8-byte arguments, of which pointers to the object are
   * NULL after the last. Requires Linux 5.8.
   */
  ITERATOR(26, 28);

  /** Exceptions to {@link Helper#since}: a version, or empty if unavailable. */
  private static final Table<Helper, ProgramType, Optional<KernelVersion>> EXCEPTIONS =
      exceptions();

  private final int number;
  private final int attachType;

  ProgramType(int number, int attachType) {
    this.number = number;
    this.attachType = attachType;
  }

  /** {@return the kernel's number} */
  public int number() {
    return number;
  }

  /** {@return the kernel's attach type, for program types that are loaded with one} */
  public int attachType() {
    return attachType;
  }

  /** {@return whether such programs are bound to one function, by BTF id at load time} */
  public boolean isForOneFunction() {
    return this == FENTRY || this == FEXIT;
  }

  /**
   * {@return the first kernel in which such programs can call {@code helper}, if any}
   *
   * @param helper a function of the kernel
   */
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
      boolean seesObjects = type.number() == FENTRY.number();
      table.put(
          Helper.GET_SOCKET_COOKIE,
          type,
          seesObjects ? Optional.of(new KernelVersion(5, 12, 0)) : Optional.empty());
      putUnless(table, type, seesObjects, Helper.SKB_OUTPUT);
      putUnless(table, type, seesObjects && type != TYPED_TRACEPOINT, Helper.D_PATH);
    }
    // Linux 5.19: bpf_get_attach_cookie for fentry and fexit; 6.10: for raw tracepoints.
    Optional<KernelVersion> withTracing = Optional.of(new KernelVersion(5, 19, 0));
    table.put(Helper.GET_ATTACH_COOKIE, FENTRY, withTracing);
    table.put(Helper.GET_ATTACH_COOKIE, FEXIT, withTracing);
    Optional<KernelVersion> withRaw = Optional.of(new KernelVersion(6, 10, 0));
    table.put(Helper.GET_ATTACH_COOKIE, RAW_TRACEPOINT, withRaw);
    table.put(Helper.GET_ATTACH_COOKIE, TYPED_TRACEPOINT, withRaw);
    table.put(Helper.D_PATH, ITERATOR, Optional.of(new KernelVersion(5, 12, 0)));
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
