package dev.ply.value;

import dev.ply.Value;
import dev.ply.Values;
import dev.ply.builtin.catalog.ClockBuiltins;
import dev.ply.builtin.catalog.MachineBuiltins;

/** Clocks, and times as strings. Meant for static import, beside {@link Values}. */
public final class ClockValues {
  private ClockValues() {}

  /** {@return the kernel's counter of timer ticks} */
  public static Value jiffies() {
    return Value.call(MachineBuiltins.JIFFIES);
  }

  /**
   * {@return a time as a string}
   *
   * @param format as for C's {@code strftime}; {@code %f} are microseconds
   * @param nanos {@link Values#nsecs}, {@link Values#time} or {@link Values#walltime}, or a stored
   *     value of one
   */
  public static Value strftime(String format, Value nanos) {
    return Value.call(ClockBuiltins.STRFTIME, Values.text(format), nanos);
  }

  /** {@return the nanoseconds since the trace started, a plain number} */
  public static Value elapsed() {
    return Value.call(ClockBuiltins.ELAPSED);
  }
}
