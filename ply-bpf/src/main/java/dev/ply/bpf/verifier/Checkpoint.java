package dev.ply.bpf.verifier;

import dev.ply.bpf.verifier.domain.AbstractState;
import java.util.Optional;

/** A state recorded at a join, with the number of unfinished paths from it. */
final class Checkpoint {
  private static final int PATIENCE = 3;
  private static final int OPEN_PATIENCE = 64;

  private final AbstractState state;
  private final Optional<Checkpoint> parent;
  private final int callbacks;
  private final int shape;
  private int openPaths = 1;
  private int openMisses;
  private int misses;
  private int hits;

  /**
   * Creates a checkpoint.
   *
   * @param startsCallback whether this is the entry of a callback
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

  /** Returns {@link AbstractState#shape()} of the state. */
  int shape() {
    return shape;
  }

  /** Returns whether the current path leads through this checkpoint. */
  boolean isOpen() {
    return openPaths > 0;
  }

  /**
   * Returns whether a callback was entered between {@code earlier}, which is open, and this
   * checkpoint: a repeated state is then no infinite loop.
   */
  boolean hasCalledBackSince(Checkpoint earlier) {
    return callbacks > earlier.callbacks;
  }

  /** Counts a state that this one subsumes. */
  void hit() {
    hits++;
  }

  /**
   * Counts a state that this one does not subsume. Those on the current path, later rounds of a
   * loop, say nothing about other paths through this round.
   */
  void miss() {
    if (isOpen()) {
      openMisses++;
    } else {
      misses++;
    }
  }

  /** Returns whether further comparisons are unlikely to succeed. */
  boolean isUseless() {
    // The kernel's heuristic, with more patience for loop heads.
    return isOpen() ? openMisses > (hits + 1) * OPEN_PATIENCE : misses > (hits + 1) * PATIENCE;
  }

  /** Adds {@code more} branches of the path. */
  void split(int more) {
    openPaths += more;
  }

  /** Ends a path. */
  void close() {
    openPaths--;
    if (openPaths == 0) {
      parent.ifPresent(Checkpoint::close);
    }
  }
}
