package dev.ply;

import dev.ply.builtin.catalog.ClockBuiltins;
import dev.ply.builtin.catalog.MachineBuiltins;
import dev.ply.target.ClockMode;

/** Creates the values that are times; a part of {@link Values}. */
abstract class ClockValues extends MemoryValues {
  ClockValues() {}

  /** {@return the kernel's counter of timer ticks} */
  public static Value jiffies() {
    return Value.call(MachineBuiltins.JIFFIES);
  }

  /** {@return nanoseconds since boot, without suspend, printed as a duration} */
  public static Value time() {
    return Value.call(ClockBuiltins.TIME);
  }

  /** {@return nanoseconds since boot, without suspend, printed as the time of day} */
  public static Value walltime() {
    return Value.call(ClockBuiltins.WALLTIME);
  }

  /**
   * {@return a time as a string}
   *
   * @param format as for C's {@code strftime}; {@code %f} are microseconds
   * @param nanos {@link #nsecs}, {@link #time} or {@link #walltime}, or a stored value of one
   */
  public static Value strftime(String format, Value nanos) {
    return Value.call(ClockBuiltins.STRFTIME, Values.text(format), nanos);
  }

  /** {@return nanoseconds since boot, including suspend, as a plain number (Linux 5.8)} */
  public static Value nsecs() {
    return Value.call(ClockBuiltins.NSECS);
  }

  /**
   * {@return nanoseconds of a clock, as a plain number}
   *
   * @param clock whose time it is
   */
  public static Value nsecs(ClockMode clock) {
    return Value.call(ClockBuiltins.NSECS, Values.text(clock.canonicalName()));
  }

  /** {@return the nanoseconds since the trace started, a plain number} */
  public static Value elapsed() {
    return Value.call(ClockBuiltins.ELAPSED);
  }
}
