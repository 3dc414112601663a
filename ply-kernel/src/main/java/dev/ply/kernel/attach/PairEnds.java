package dev.ply.kernel.attach;

import dev.ply.bpf.object.AttachSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Which probe sites end what others begin: returns of functions, exits of system calls, completed
 * requests. They are attached last and detached first, so that none fires without its beginning. A
 * beginning without an end is harmless: it is not counted.
 */
final class PairEnds {
  /** Words in the names of tracepoints and USDT probes. */
  private static final Set<String> WORDS =
      Set.of(
          "exit",
          "return",
          "end",
          "done",
          "finish",
          "finished",
          "complete",
          "completed",
          "stop",
          "release",
          "free",
          "close");

  private PairEnds() {}

  /** Returns whether a site ends a pair. */
  static boolean isEnd(AttachSpec spec) {
    if (spec instanceof AttachSpec.Kprobe probe) {
      return probe.isReturn();
    }
    if (spec instanceof AttachSpec.KprobeMulti probe) {
      return probe.isReturn();
    }
    if (spec instanceof AttachSpec.Trampoline trampoline) {
      return trampoline.isExit();
    }
    if (spec instanceof AttachSpec.AllSyscalls calls) {
      return isNamedEnd(calls.event());
    }
    if (spec instanceof AttachSpec.Tracepoint tracepoint) {
      return isNamedEnd(tracepoint.event());
    }
    if (spec instanceof AttachSpec.RawTracepoint tracepoint) {
      return isNamedEnd(tracepoint.event());
    }
    return spec instanceof AttachSpec.Uprobe probe && (probe.isReturn() || isMarkedEnd(probe));
  }

  private static boolean isMarkedEnd(AttachSpec.Uprobe probe) {
    List<String> parts = List.of(probe.site().definition().split(":", -1));
    return parts.get(0).equals("usdt") && isNamedEnd(parts.get(parts.size() - 1));
  }

  /** {@code sys_exit_read}, {@code block_rq_complete}, {@code gc__end}, {@code method-return}. */
  private static boolean isNamedEnd(String name) {
    return Arrays.stream(name.split("[_-]+", -1)).anyMatch(WORDS::contains);
  }
}
