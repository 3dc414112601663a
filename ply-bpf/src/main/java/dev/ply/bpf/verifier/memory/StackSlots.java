package dev.ply.bpf.verifier.memory;

import dev.ply.bpf.verifier.domain.StackState;
import dev.ply.bpf.verifier.flow.CheckStructure;

/**
 * Slots of 8 bytes in the stacks of call frames: for each frame a bit for each slot, the lowest for
 * that farthest from the frame pointer. Immutable.
 */
public final class StackSlots {
  /** No slot. */
  public static final StackSlots NONE = new StackSlots(new long[CheckStructure.MAX_FRAMES]);

  /** All slots of a frame. */
  public static final long ALL = -1;

  private static final int SLOT = 8;

  private final long[] byFrame;

  private StackSlots(long[] byFrame) {
    this.byFrame = byFrame;
  }

  /** Returns the slots that {@code size} bytes at an offset from the frame pointer touch. */
  static long touched(long offset, long size) {
    return size <= 0
        ? 0
        : between(Math.floorDiv(offset + StackState.SIZE, SLOT), last(offset, size) + 1);
  }

  /** Returns the slots that {@code size} bytes at an offset from the frame pointer fill. */
  static long filled(long offset, long size) {
    return between(
        Math.floorDiv(offset + StackState.SIZE + SLOT - 1, SLOT),
        Math.floorDiv(offset + StackState.SIZE + size, SLOT));
  }

  private static long last(long offset, long size) {
    return Math.floorDiv(offset + StackState.SIZE + size - 1, SLOT);
  }

  private static long between(long from, long to) {
    long slots = 0;
    for (long slot = Math.max(0, from); slot < Math.min(StackState.SIZE / SLOT, to); slot++) {
      slots |= 1L << slot;
    }
    return slots;
  }

  /** Returns the slots of a frame. */
  public long of(int frame) {
    return byFrame[frame];
  }

  /** Returns these slots and others. */
  public StackSlots with(int frame, long slots) {
    if ((slots & ~byFrame[frame]) == 0) {
      return this;
    }
    long[] changed = byFrame.clone();
    changed[frame] |= slots;
    return new StackSlots(changed);
  }
}
