package dev.ply.bpf.verifier;

import dev.ply.bpf.verifier.domain.AbstractState;
import java.util.Optional;

/** A state seen at a join, and how many paths from it are still to be explored. */
final class Checkpoint {
  private final AbstractState state;
  private final Optional<Checkpoint> parent;
  private int openPaths = 1;

  Checkpoint(AbstractState state, Optional<Checkpoint> parent) {
    this.state = state;
    this.parent = parent;
  }

  AbstractState state() {
    return state;
  }

  /** Tells whether the path being explored came through here. */
  boolean isOpen() {
    return openPaths > 0;
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
