package dev.ply.bpf.object;

import dev.ply.result.StackMode;

/**
 * The stack traces of one shape that a script takes.
 *
 * <p>What keys and records hold of a trace is a number of 32 bits: the kernel's id for it in the
 * lower half, the number of these traces above. A negative one is the kernel's reason why there is
 * none.
 *
 * @param number counted from 0, 1 to 32767 where traces of other shapes are taken too
 * @param isOfUser whether they are processes' and not the kernel's
 * @param depth how many functions are kept, the innermost ones
 * @param mode how they print
 * @param map the name of the map that has them; traces that only print in other ways share one
 */
public record StackTraces(int number, boolean isOfUser, int depth, StackMode mode, String map) {
  /** Ids are less than this. */
  public static final int SLOTS = 1 << 14;

  private static final int NUMBER_SHIFT = 16;

  /** Returns what is added to the kernel's ids. */
  public int base() {
    return number << NUMBER_SHIFT;
  }

  /** Returns the number of the traces that a trace is one of. */
  public static int numberOf(int trace) {
    return trace >>> NUMBER_SHIFT;
  }

  /** Returns the kernel's id for a trace. */
  public static int idOf(int trace) {
    return trace & ((1 << NUMBER_SHIFT) - 1);
  }
}
