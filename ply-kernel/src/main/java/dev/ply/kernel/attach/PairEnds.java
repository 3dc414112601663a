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

  /** Providers whose sites have names of events, rather than of functions. */
  private static final Set<String> NAMED = Set.of("tracepoint", "rawtracepoint", "usdt");

  private PairEnds() {}

  /** Returns whether a site ends a pair. */
  static boolean isEnd(AttachSpec spec) {
    List<String> parts = List.of(spec.sites().get(0).definition().split(":", -1));
    return spec.isReturn()
        || (NAMED.contains(parts.get(0)) && isNamedEnd(parts.get(parts.size() - 1)));
  }

  /** {@code sys_exit_read}, {@code block_rq_complete}, {@code gc__end}, {@code method-return}. */
  private static boolean isNamedEnd(String name) {
    // The entry of close(2) begins a call, as all entries do.
    return !name.startsWith("sys_enter_")
        && Arrays.stream(name.split("[_-]+", -1)).anyMatch(WORDS::contains);
  }
}
