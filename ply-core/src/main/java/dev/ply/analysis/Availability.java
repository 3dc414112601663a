package dev.ply.analysis;

import dev.ply.ir.AttachPoint;
import dev.ply.ir.Intrinsic;

/** Which probes offer which built-ins. */
final class Availability {
  private Availability() {}

  /** Returns why {@code point} lacks the built-in, as the end of a sentence; empty if it has it. */
  static String reasonAgainst(Intrinsic intrinsic, AttachPoint point) {
    if (point instanceof AttachPoint.Unknown) {
      return "";
    }
    return switch (intrinsic) {
      case RETVAL ->
          point instanceof AttachPoint.Kretprobe
                  || point instanceof AttachPoint.Uretprobe
                  || point instanceof AttachPoint.Fexit
              ? ""
              : "only a probe on the return of a function has a return value";
      case CALLER ->
          point instanceof AttachPoint.Kprobe ? "" : "only a kprobe has a probed address";
      case REGS ->
          point instanceof AttachPoint.Kprobe
                  || point instanceof AttachPoint.Kretprobe
                  || point.isInUserSpace()
              ? ""
              : "only kprobes and uprobes have saved registers";
      case DATA ->
          point instanceof AttachPoint.Tracepoint
                  || point instanceof AttachPoint.Fentry
                  || point instanceof AttachPoint.Fexit
                  || point instanceof AttachPoint.RawTracepoint
              ? ""
              : "only a tracepoint has a record, and rawtracepoint, fentry and fexit have arguments"
                  + " by name";
      case DYN ->
          point instanceof AttachPoint.Tracepoint ? "" : "only a tracepoint has dynamic data";
      case COMM,
          PID,
          KPID,
          UID,
          GID,
          CPU,
          TIME,
          WALLTIME,
          NSECS,
          STACK,
          USTACK,
          CTX,
          PROBE,
          STR,
          MEM,
          UPTR,
          KPTR,
          KADDR,
          KSYM,
          STRCMP,
          PRINT,
          PRINTF,
          CLEAR,
          EXIT ->
          "";
    };
  }
}
