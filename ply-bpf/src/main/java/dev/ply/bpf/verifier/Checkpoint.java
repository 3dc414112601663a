package dev.ply.bpf.verifier;

import dev.ply.bpf.verifier.domain.AbstractState;
import java.util.Optional;

/** A state seen at a join, and how many paths from it are still to be explored. */
final class Checkpoint {
  private final AbstractState state;
  private final Optional<Checkpoint> parent;
  private final boolean startsCallback;
  private int openPaths = 1;

  /**
   * Creates a checkpoint.
   *
   * @param startsCallback whether it is where a helper calls a function
   */
  Checkpoint(AbstractState state, Optional<Checkpoint> parent, boolean startsCallback) {
    this.state = state;
    this.parent = parent;
    this.startsCallback = startsCallback;
  }

  AbstractState state() {
    return state;
  }

  /** Tells whether the path being explored came through here. */
  boolean isOpen() {
    return openPaths > 0;
  }

  /**
   * Tells whether a helper has called a function on the path from {@code earlier} to here: then
   * what comes back is no loop of the program.
   */
  boolean hasCalledBackSince(Checkpoint earlier) {
    for (Checkpoint at = this; at != earlier; at = at.parent.get()) {
      if (at.startsCallback) {
        return true;
      }
      if (at.parent.isEmpty()) {
        return false;
      }
    }
    return false;
  }

  /** Notes that the path through here splits. */
  void split(int more) {
    openPaths += more;
  }

  /** Notes that a path through here has ended. */
  void close() {
    openPaths--;
    if (openPaths == 0) {
      parent.ifPresent(Checkpoint::close);
    }
  }
}
