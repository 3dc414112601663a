package dev.ply.bpf.object;

import dev.ply.result.StackMode;

/**
 * The stack traces of one shape that a script records.
 *
 * <p>Keys and records hold a 32-bit id: the kernel's id in the lower half, the number of this shape
 * above. A negative id is the kernel's errno.
 *
 * @param number counted from 0, 1 to 32767 if there are several shapes
 * @param isOfUser whether they are user stacks
 * @param depth the maximum number of frames, innermost first
 * @param mode the print format
 * @param map the name of the map; shapes that differ only in format share one
 */
public record StackTraces(int number, boolean isOfUser, int depth, StackMode mode, String map) {
  /** The kernel's ids are less than this. */
  public static final int SLOTS = 1 << 14;

  private static final int NUMBER_SHIFT = 16;

  /** Returns the number added to the kernel's ids. */
  public int base() {
    return number << NUMBER_SHIFT;
  }

  /** Returns the shape of a stack id. */
  public static int numberOf(int trace) {
    return trace >>> NUMBER_SHIFT;
  }

  /** Returns the kernel's id of a stack id. */
  public static int idOf(int trace) {
    return trace & ((1 << NUMBER_SHIFT) - 1);
  }
}
