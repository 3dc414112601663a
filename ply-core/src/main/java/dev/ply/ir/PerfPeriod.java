package dev.ply.ir;

import java.math.BigDecimal;
import java.util.regex.Pattern;

/**
 * A counter and after how many of what it counts a probe fires.
 *
 * @param period positive
 */
public record PerfPeriod(PerfCounter counter, long period) {
  private static final Pattern NUMBER = Pattern.compile("[0-9][0-9_]{0,18}(?:e[0-9]{1,2})?");

  public PerfPeriod {
    if (period <= 0) {
      throw new IllegalArgumentException(
          "a probe on " + counter.text() + " fires after a positive number, not " + period);
    }
  }

  /**
   * Reads {@code page-faults:100}; without a number, or with an empty one, the counter's usual.
   *
   * @throws InvalidSelectorException if the text is neither
   */
  public static PerfPeriod parse(PerfCounter.Source source, String text) {
    int colon = text.indexOf(':');
    String name = colon < 0 ? text : text.substring(0, colon);
    String number = colon < 0 ? "" : text.substring(colon + 1);
    PerfCounter counter = PerfCounter.named(source, name);
    if (number.isEmpty()) {
      return new PerfPeriod(counter, counter.usualPeriod());
    }
    try {
      if (NUMBER.matcher(number).matches()) {
        long period = new BigDecimal(number.replace("_", "")).longValueExact();
        if (period > 0) {
          return new PerfPeriod(counter, period);
        }
      }
    } catch (ArithmeticException e) {
      // More than 64 bits: told like any other number that is none.
    }
    throw new InvalidSelectorException(
        "\"" + number + "\" is no number of events to fire after",
        "write " + name + ":" + counter.usualPeriod() + ", say");
  }

  /** Returns the counter and number as scripts write them. */
  public String text() {
    return counter.text() + ":" + period;
  }
}
