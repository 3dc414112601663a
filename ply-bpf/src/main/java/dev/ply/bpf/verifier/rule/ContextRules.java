package dev.ply.bpf.verifier.rule;

import dev.ply.bpf.object.BpfProgram;
import java.util.Optional;

/** The rules for loads from the context, by program type. */
final class ContextRules {
  /** Size of sample_period and addr, which follow the registers in struct bpf_perf_event_data. */
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
      case FENTRY, FEXIT, TYPED_TRACEPOINT, ITERATOR ->
          offset % 8 != 0
              ? Optional.of("arguments are 8 bytes each and are read from their start")
              : Optional.empty();
      case TRACEPOINT ->
          offset < 8
              ? Optional.of("the first 8 bytes of a tracepoint context are reserved for the kernel")
              : Optional.empty();
      case PERF_EVENT ->
          size != 8 && offset < program.contextSize() - PERF_EVENT_TAIL
              ? Optional.of("registers of a perf event's context are read whole, 8 bytes at a time")
              : Optional.empty();
    };
  }
}
