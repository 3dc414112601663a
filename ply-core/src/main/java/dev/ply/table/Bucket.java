package dev.ply.table;

import java.util.OptionalLong;

/**
 * A range of values and its count.
 *
 * @param low the smallest value; empty for all below {@code high}
 * @param high the value after the largest; empty for all from {@code low} up
 * @param count the number of values in it
 */
public record Bucket(OptionalLong low, OptionalLong high, long count) {
  /** Returns one count plus or minus another, which must not be larger then. */
  static long combined(long count, long other, int sign) {
    long combined = count + sign * other;
    if (combined < 0) {
      throw new IllegalArgumentException(
          "a range of " + count + " values cannot lose " + other + ": these are other values");
    }
    return combined;
  }

  /**
   * {@return the bucket {@code [low, high)}}
   *
   * @param low the smallest value
   * @param high the value after the largest
   * @param count the number of values in it
   */
  public static Bucket of(long low, long high, long count) {
    return new Bucket(OptionalLong.of(low), OptionalLong.of(high), count);
  }

  /**
   * {@return the bucket of all values below {@code high}}
   *
   * @param high the value after the largest
   * @param count the number of values in it
   */
  public static Bucket below(long high, long count) {
    return new Bucket(OptionalLong.empty(), OptionalLong.of(high), count);
  }

  /**
   * {@return the bucket of all values from {@code low} up}
   *
   * @param low the smallest value
   * @param count the number of values in it
   */
  public static Bucket from(long low, long count) {
    return new Bucket(OptionalLong.of(low), OptionalLong.empty(), count);
  }
}
