package dev.ply.text;

/**
 * Formats nanoseconds in the units of ply's language: {@code 1.02us}, {@code 735s}, {@code 2h46m}.
 */
public final class Durations {
  private static final long SECOND = 1_000_000_000L;
  private static final int DECIMALS = 9;

  /** From here on, two units show more than three digits of one would. */
  private static final long TWO_UNITS = 1000 * SECOND;

  private enum Unit {
    NANOSECOND("ns", 1),
    MICROSECOND("us", 1000),
    MILLISECOND("ms", 1_000_000),
    SECOND("s", Durations.SECOND),
    MINUTE("m", 60 * Durations.SECOND),
    HOUR("h", 3600 * Durations.SECOND),
    DAY("d", 24 * 3600 * Durations.SECOND),
    YEAR("y", 365 * 24 * 3600 * Durations.SECOND);

    private final String symbol;
    private final long nanos;

    Unit(String symbol, long nanos) {
      this.symbol = symbol;
      this.nanos = nanos;
    }
  }

  private Durations() {}

  /** Writes {@code nanos} with three digits and a unit, or in two units; the rest is truncated. */
  public static void append(TextBuffer out, long nanos, boolean signed) {
    long length = absolute(out, nanos, signed);
    Unit unit = unit(length);
    long whole = Long.divideUnsigned(length, unit.nanos);
    long rest = Long.remainderUnsigned(length, unit.nanos);
    out.append(whole);
    if (Long.compareUnsigned(length, TWO_UNITS) >= 0) {
      out.append(unit.symbol);
      Unit smaller = smaller(unit);
      int digits = unit == Unit.YEAR ? 3 : 2;
      appendFraction(out, rest / smaller.nanos, digits);
      out.append(smaller.symbol);
      return;
    }
    if (unit != Unit.NANOSECOND && whole < 100) {
      out.append('.');
      int digits = whole < 10 ? 2 : 1;
      appendFraction(out, rest / (unit.nanos / (digits == 2 ? 100 : 10)), digits);
    }
    out.append(unit.symbol);
  }

  /** Writes a time of the clock that counts from boot, all its digits. */
  public static void appendSinceBoot(TextBuffer out, long nanos) {
    long time = absolute(out, nanos, true);
    out.appendUnsigned(Long.divideUnsigned(time, SECOND)).append('.');
    appendFraction(out, Long.remainderUnsigned(time, SECOND), DECIMALS);
    out.append('s');
  }

  /** {@return {@code nanos} in the largest unit that divides it} */
  public static String exact(long nanos, boolean signed) {
    TextBuffer out = new TextBuffer();
    long length = absolute(out, nanos, signed);
    Unit largest = Unit.NANOSECOND;
    for (Unit unit : Unit.values()) {
      if (length != 0 && unit != Unit.YEAR && Long.remainderUnsigned(length, unit.nanos) == 0) {
        largest = unit;
      }
    }
    out.appendUnsigned(Long.divideUnsigned(length, largest.nanos));
    return out.append(length == 0 ? "" : largest.symbol).toString();
  }

  /** Writes the sign and returns the absolute value, unsigned. */
  private static long absolute(TextBuffer out, long nanos, boolean signed) {
    if (signed && nanos < 0) {
      out.append('-');
      return -nanos;
    }
    return nanos;
  }

  private static Unit smaller(Unit than) {
    Unit smaller = Unit.NANOSECOND;
    for (Unit unit : Unit.values()) {
      if (unit == than) {
        break;
      }
      smaller = unit;
    }
    return smaller;
  }

  /** Returns the largest unit that is not above {@code length}; seconds up to a thousand. */
  private static Unit unit(long length) {
    Unit found = Unit.NANOSECOND;
    for (Unit unit : Unit.values()) {
      boolean isShown = unit.nanos <= SECOND || Long.compareUnsigned(length, TWO_UNITS) >= 0;
      if (isShown && Long.compareUnsigned(length, unit.nanos) >= 0) {
        found = unit;
      }
    }
    return found;
  }

  private static void appendFraction(TextBuffer out, long number, int digits) {
    out.fill('0', digits - TextBuffer.decimalDigits(number));
    out.append(number);
  }
}
