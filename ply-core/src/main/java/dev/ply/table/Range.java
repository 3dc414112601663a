package dev.ply.table;

/**
 * The limits of a result that is known by them: a percentile or a sum of a histogram.
 *
 * @param low the smallest possible value
 * @param high the largest possible value; limits of unsigned values beyond 2^63 keep their bits
 */
public record Range(long low, long high) {
  /** {@return the value halfway between the limits} */
  public long middle() {
    return low + ((high - low) >>> 1);
  }

  /** {@return how far {@link #middle} can be from the result, at most} */
  public long error() {
    return (high - low + 1) >>> 1;
  }

  /**
   * {@return whether the result can be this value}
   *
   * @param value of the kind of the limits
   */
  public boolean contains(long value) {
    return Long.compareUnsigned(value - low, high - low) <= 0;
  }

  /** Returns {@code 64..127}. */
  @Override
  public String toString() {
    return low + ".." + high;
  }
}
