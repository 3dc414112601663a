package dev.ply.bpf.verifier;

import dev.ply.bpf.verifier.domain.AbstractState;
import java.util.Optional;

/** A state seen at a join, and how many paths from it are still to be explored. */
final class Checkpoint {
  private static final int PATIENCE = 3;
  private static final int OPEN_PATIENCE = 64;

  private final AbstractState state;
  private final Optional<Checkpoint> parent;
  private final int callbacks;
  private final int shape;
  private int openPaths = 1;
  private int misses;
  private int hits;

  /**
   * Creates a checkpoint.
   *
   * @param startsCallback whether it is where a helper calls a function
   */
  Checkpoint(AbstractState state, Optional<Checkpoint> parent, boolean startsCallback) {
    this.state = state;
    this.parent = parent;
    this.shape = state.shape();
    this.callbacks = parent.map(p -> p.callbacks).orElse(0) + (startsCallback ? 1 : 0);
  }

  AbstractState state() {
    return state;
  }

  /** Returns the {@link AbstractState#shape()} of the state. */
  int shape() {
    return shape;
  }

  /** Returns whether the path being explored came through here. */
  boolean isOpen() {
    return openPaths > 0;
  }

  /**
   * Returns whether a helper has called a function on the path from {@code earlier}, which is open,
   * to here: then what comes back is no loop of the program.
   */
  boolean hasCalledBackSince(Checkpoint earlier) {
    return callbacks > earlier.callbacks;
  }

  /** Notes that a state was known from this one. */
  void hit() {
    hits++;
  }

  /** Notes that a state was not known from this one. */
  void miss() {
    misses++;
  }

  /** Returns whether comparing more states with this one is likely to be in vain. */
  boolean isUseless() {
    // The kernel's rule; what loops come back to is given more time.
    int patience = isOpen() ? OPEN_PATIENCE : PATIENCE;
    return misses > (hits + 1) * patience;
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
