package dev.ply.bpf.verifier;

import dev.ply.bpf.verifier.domain.AbstractState;
import dev.ply.bpf.verifier.flow.CheckStructure;
import dev.ply.bpf.verifier.memory.StackSlots;
import java.util.Optional;

/**
 * A state recorded at a join, with the number of unfinished paths from it, and the slots of stacks
 * that the paths read: two states that differ in others lead to the same.
 */
final class Checkpoint {
  private static final int PATIENCE = 3;
  private static final int OPEN_PATIENCE = 64;

  private final AbstractState state;
  private final Optional<Checkpoint> parent;
  private final StackSlots overwritten;
  private final long[] read = new long[CheckStructure.MAX_FRAMES];
  private final int callbacks;
  private final int shape;
  private int openPaths = 1;
  private int openMisses;
  private int misses;
  private int hits;

  /**
   * Creates a checkpoint.
   *
   * @param overwritten the slots that were filled since the parent
   * @param startsCallback whether this is the entry of a callback
   */
  Checkpoint(
      AbstractState state,
      Optional<Checkpoint> parent,
      StackSlots overwritten,
      boolean startsCallback) {
    this.state = state;
    this.parent = parent;
    this.overwritten = overwritten;
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

  /**
   * Returns the slots of a frame that matter to the paths from here: all, until the last path has
   * ended.
   */
  long slotsRead(int frame) {
    return isOpen() ? StackSlots.ALL : read[frame];
  }

  /** Records that a path reads slots which it has not overwritten since this checkpoint. */
  void read(int frame, long slots) {
    Checkpoint checkpoint = this;
    long unknown = slots & ~read[frame];
    while (unknown != 0) {
      checkpoint.read[frame] |= unknown;
      if (checkpoint.parent.isEmpty()) {
        return;
      }
      unknown &= ~checkpoint.overwritten.of(frame);
      checkpoint = checkpoint.parent.get();
      unknown &= ~checkpoint.read[frame];
    }
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
    Optional<Checkpoint> closed = Optional.of(this);
    while (closed.isPresent() && --closed.get().openPaths == 0) {
      closed = closed.get().parent;
    }
  }
}
