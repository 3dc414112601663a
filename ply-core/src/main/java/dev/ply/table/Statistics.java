package dev.ply.table;

import dev.ply.binding.ComponentKind;
import dev.ply.binding.Decoded;
import dev.ply.type.Type.IntType;

/**
 * Count, total and average of values.
 *
 * @param count the number of values; 0 for a map that has not been updated
 * @param total their sum, wrapped to 64 bits
 * @param valueType the type of the values, whose signedness the total has
 */
@Decoded(ComponentKind.OTHER)
public record Statistics(long count, long total, IntType valueType) {
  /** {@return the average, truncated toward zero; 0 of no values} */
  public long average() {
    if (count == 0) {
      return 0;
    }
    return valueType.isSigned() ? total / count : Long.divideUnsigned(total, count);
  }

  /** Returns these statistics with total and average divided. */
  Statistics dividedBy(long divisor) {
    long divided = valueType.isSigned() ? total / divisor : Long.divideUnsigned(total, divisor);
    return new Statistics(count, divided, valueType);
  }

  /** {@return {@code count 5, average 3, total 15}} */
  @Override
  public String toString() {
    return "count "
        + Long.toUnsignedString(count)
        + ", average "
        + number(average())
        + ", total "
        + number(total);
  }

  private String number(long value) {
    return valueType.isSigned() ? Long.toString(value) : Long.toUnsignedString(value);
  }
}
