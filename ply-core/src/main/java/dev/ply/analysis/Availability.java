package dev.ply.analysis;

import dev.ply.ir.AttachPoint;
import dev.ply.ir.Intrinsic;
import dev.ply.ir.Provider.Offer;

/** Which probes offer which built-ins. */
final class Availability {
  private Availability() {}

  /** Returns why {@code point} lacks the built-in, as the end of a sentence; empty if it has it. */
  static String reasonAgainst(Intrinsic intrinsic, AttachPoint point) {
    return switch (intrinsic) {
      case RETVAL ->
          point.offers(Offer.RETURN_VALUE)
              ? ""
              : "only a probe on the return of a function has a return value";
      case CALLER -> point.offers(Offer.PROBED_ADDRESS) ? "" : "only a kprobe has a probed address";
      case REGS ->
          point.offers(Offer.REGISTERS) ? "" : "only kprobes and uprobes have saved registers";
      case DATA ->
          point.offers(Offer.RECORD) || point.offers(Offer.NAMED_ARGUMENTS)
              ? ""
              : "only a tracepoint has a record, and rawtracepoint, fentry and fexit have arguments"
                  + " by name";
      case DYN -> point.offers(Offer.RECORD) ? "" : "only a tracepoint has dynamic data";
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
