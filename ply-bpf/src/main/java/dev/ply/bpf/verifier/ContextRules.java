package dev.ply.bpf.verifier;

import dev.ply.bpf.object.BpfProgram;
import java.util.Optional;

/** What the kernel lets each program type read of its context. */
final class ContextRules {
  /** Bytes at the end of struct bpf_perf_event_data that are not registers: period and address. */
  private static final int PERF_EVENT_TAIL = 16;

  private ContextRules() {}

  static Optional<String> check(BpfProgram program, int offset, int size) {
    if (offset < 0 || offset + size > program.contextSize()) {
      return Optional.of(
          CheckMemory.bytes(size)
              + " at offset "
              + offset
              + (size == 1 ? " is" : " are")
              + " outside the "
              + program.contextSize()
              + "-byte context");
    }
    if (offset % size != 0) {
      return Optional.of(
          "context read of "
              + CheckMemory.bytes(size)
              + " at offset "
              + offset
              + " is not aligned to its size");
    }
    return switch (program.type()) {
      case KPROBE, RAW_TRACEPOINT -> Optional.empty();
      case FENTRY, FEXIT, TYPED_TRACEPOINT ->
          offset % 8 != 0
              ? Optional.of("arguments take 8 bytes each and are read from their start")
              : Optional.empty();
      case TRACEPOINT ->
          offset < 8
              ? Optional.of("the first 8 bytes of a tracepoint's context are the kernel's own")
              : Optional.empty();
      case PERF_EVENT ->
          size != 8 && offset < program.contextSize() - PERF_EVENT_TAIL
              ? Optional.of("registers of a perf event's context are read whole, 8 bytes at a time")
              : Optional.empty();
    };
  }
}
