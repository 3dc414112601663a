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
  private static final int NUMBER_SHIFT = 16;

  /** The kernel's memory for the traces of a map, in bytes: slots are allocated in advance. */
  private static final int MEMORY = 1 << 25;

  private static final int FEWEST_SLOTS = 1 << 14;

  /**
   * {@return the number of slots of the map, more than the kernel's ids} A trace can use one slot
   * only, chosen by its hash: of few frames, many slots make collisions rare for little memory.
   */
  public int slots() {
    int fitting = Integer.highestOneBit(MEMORY / (depth * Long.BYTES));
    return Math.max(FEWEST_SLOTS, Math.min(1 << NUMBER_SHIFT, fitting));
  }

  /** {@return the number added to the kernel's ids} */
  public int base() {
    return number << NUMBER_SHIFT;
  }

  /**
   * {@return the shape of a stack id}
   *
   * @param trace as programs store it
   */
  public static int numberOf(int trace) {
    return trace >>> NUMBER_SHIFT;
  }

  /**
   * {@return the kernel's id of a stack id}
   *
   * @param trace as programs store it
   */
  public static int idOf(int trace) {
    return trace & ((1 << NUMBER_SHIFT) - 1);
  }
}
