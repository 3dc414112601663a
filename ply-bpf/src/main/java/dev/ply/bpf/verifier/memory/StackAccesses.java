package dev.ply.bpf.verifier.memory;

import java.util.ArrayList;
import java.util.List;

/** The slots of stacks that an instruction reads and fills. */
public final class StackAccesses {
  /** Slots of the stack of a frame. */
  public record Slots(int frame, long slots) {}

  private final List<Slots> read = new ArrayList<>();
  private final List<Slots> filled = new ArrayList<>();

  /** Forgets the accesses of the instruction before. */
  public void clear() {
    read.clear();
    filled.clear();
  }

  /**
   * Records an access.
   *
   * @param min the lowest offset from the frame pointer
   * @param max the highest one
   */
  public void add(int frame, Access access, long min, long max, long size) {
    if (access.needsInitialized()) {
      read.add(new Slots(frame, StackSlots.touched(min, max - min + size)));
    } else if (min == max) {
      filled.add(new Slots(frame, StackSlots.filled(min, size)));
    }
  }

  /** Returns what is read; before anything is filled. */
  public List<Slots> read() {
    return read;
  }

  /** Returns what is overwritten as a whole. */
  public List<Slots> filled() {
    return filled;
  }
}
