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
   * Returns the stack as programs record it: with a marker after the last address it was lost at.
   */
  public List<Long> recorded() {
    if (end == UnwindEnd.COMPLETE || end == UnwindEnd.FULL) {
      return addresses;
    }
    List<Long> marked = new ArrayList<>(addresses);
    marked.add(end.marker());
    return marked;
  }
}
