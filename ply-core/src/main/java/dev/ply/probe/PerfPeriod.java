package dev.ply.probe;

import dev.ply.selector.InvalidSelectorException;
import java.math.BigDecimal;
import java.util.regex.Pattern;

/**
 * A counter and its period: the number of events per firing.
 *
 * @param counter what is counted
 * @param name the counter's name or alias, as the script writes it
 * @param period positive
 */
public record PerfPeriod(PerfCounter counter, String name, long period) {
  private static final Pattern NUMBER = Pattern.compile("[0-9][0-9_]{0,18}(?:e[0-9]{1,2})?");

  /**
   * A counter by its usual name.
   *
   * @param counter what is counted
   * @param period positive
   * @throws IllegalArgumentException if it is not positive
   */
  public PerfPeriod(PerfCounter counter, long period) {
    this(counter, counter.text(), period);
  }

  /**
   * Checks the period.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public PerfPeriod {
    if (period <= 0) {
      throw new IllegalArgumentException(
          "a probe on " + counter.text() + " fires after a positive number, not " + period);
    }
  }

  /**
   * Parses {@code page-faults:100}; without a number, or with an empty one, the period is the
   * counter's default.
   *
   * @param source the kernel or the CPU
   * @param text the name of the counter, and its period after a colon
   * @throws InvalidSelectorException if the counter is unknown or the number invalid
   */
  public static PerfPeriod parse(PerfCounter.Source source, String text) {
    int colon = text.indexOf(':');
    String name = colon < 0 ? text : text.substring(0, colon);
    String number = colon < 0 ? "" : text.substring(colon + 1);
    PerfCounter counter = PerfCounter.named(source, name);
    if (number.isEmpty()) {
      return new PerfPeriod(counter, name, counter.usualPeriod());
    }
    try {
      if (NUMBER.matcher(number).matches()) {
        long period = new BigDecimal(number.replace("_", "")).longValueExact();
        if (period > 0) {
          return new PerfPeriod(counter, name, period);
        }
      }
    } catch (ArithmeticException e) {
      // More than 64 bits are reported like any other invalid number.
    }
    throw new InvalidSelectorException(
        "\"" + number + "\" is not a number of events",
        "write " + name + ":" + counter.usualPeriod() + ", for example");
  }

  /** {@return counter, by its usual name, and period as scripts write them} */
  public String text() {
    return counter.text() + ":" + period;
  }
}
