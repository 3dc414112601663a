package dev.ply.kernel.elf;

/** Sorts addresses in linear time. */
public final class AddressOrder {
  private static final int DIGIT_BITS = 8;
  private static final int DIGITS = 1 << DIGIT_BITS;

  private AddressOrder() {}

  /**
   * Returns the indices of the first {@code count} values in unsigned order; stable. An LSD radix
   * sort.
   */
  public static int[] of(long[] values, int count) {
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      order[i] = i;
    }
    long varying = varyingBits(values, count);
    int[] other = new int[count];
    for (int shift = 0; shift < Long.SIZE; shift += DIGIT_BITS) {
      if ((varying >>> shift & (DIGITS - 1)) != 0) {
        sortByDigit(values, shift, order, other);
        int[] sorted = other;
        other = order;
        order = sorted;
      }
    }
    return order;
  }

  private static long varyingBits(long[] values, int count) {
    long varying = 0;
    for (int i = 1; i < count; i++) {
      varying |= values[i] ^ values[0];
    }
    return varying;
  }

  private static void sortByDigit(long[] values, int shift, int[] order, int[] sorted) {
    int[] next = new int[DIGITS + 1];
    for (int index : order) {
      next[(int) (values[index] >>> shift & (DIGITS - 1)) + 1]++;
    }
    for (int digit = 0; digit < DIGITS; digit++) {
      next[digit + 1] += next[digit];
    }
    for (int index : order) {
      sorted[next[(int) (values[index] >>> shift & (DIGITS - 1))]++] = index;
    }
  }
}
