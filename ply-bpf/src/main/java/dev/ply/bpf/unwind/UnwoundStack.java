package dev.ply.bpf.unwind;

import java.util.ArrayList;
import java.util.List;

/**
 * The result of a walk.
 *
 * @param addresses the current instruction, then return addresses, innermost first
 */
public record UnwoundStack(List<Long> addresses, UnwindEnd end) {
  /** Copies the addresses. */
  public UnwoundStack {
    addresses = List.copyOf(addresses);
  }

  /**
   * Returns the stack as programs record it. If the walk was lost, a marker follows the last
   * address; if the stack has too many frames, the marker takes the place of the last.
   */
  public List<Long> recorded() {
    boolean isDeepest = addresses.size() == Unwinder.MOST_FRAMES;
    if (end == UnwindEnd.COMPLETE || (end == UnwindEnd.FULL && !isDeepest)) {
      return addresses;
    }
    List<Long> marked =
        new ArrayList<>(isDeepest ? addresses.subList(0, addresses.size() - 1) : addresses);
    marked.add(end.marker());
    return marked;
  }
}
