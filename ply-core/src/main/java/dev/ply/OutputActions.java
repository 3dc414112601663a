package dev.ply;

import dev.ply.builtin.catalog.ErrorBuiltins;
import dev.ply.builtin.catalog.EventBuiltins;
import dev.ply.builtin.catalog.SystemBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import java.util.List;

/** Creates the actions that print, report and clear; meant for static import. */
public final class OutputActions {
  private OutputActions() {}

  /**
   * Prints a line to the kernel's trace buffer.
   *
   * @param format with the conversions of {@code bpf_trace_printk}
   * @param values numbers and strings, up to three
   * @return the action
   */
  public static Action debugf(String format, Value... values) {
    return Action.formatted(SystemBuiltins.DEBUGF, format, values);
  }

  /**
   * Prints values in their default formats, separated by commas; a variable without keys is printed
   * whole.
   *
   * @param values numbers, strings, stacks, or variables
   * @return the action
   */
  public static Action print(Value... values) {
    return Action.call(EventBuiltins.PRINT, Value.exprs(values));
  }

  /**
   * Prints the current results of a probe.
   *
   * @param probe an aggregating probe of the same trace
   * @return the action
   * @throws IllegalArgumentException if that probe has not been {@linkplain AggregateProbe#named
   *     named}
   */
  public static Action print(AggregateProbe<?> probe) {
    return Action.call(EventBuiltins.PRINT, List.of(whole(nameOf(probe))));
  }

  /**
   * Prints the {@code top} largest results of a probe.
   *
   * @param probe an aggregating probe of the same trace
   * @param top the number of rows, from the largest on; 0 for all
   * @return the action
   */
  public static Action print(AggregateProbe<?> probe, int top) {
    return print(probe, top, 1);
  }

  /**
   * Prints the {@code top} largest results of a probe, or all for 0, divided by a number.
   *
   * @param probe an aggregating probe of the same trace
   * @param top the number of rows, from the largest on; 0 for all
   * @param divisor what shown values are divided by, at least 1
   * @return the action
   */
  public static Action print(AggregateProbe<?> probe, int top, long divisor) {
    if (top < 0 || divisor < 1) {
      throw new IllegalArgumentException("top " + top + " divided by " + divisor);
    }
    return Action.call(
        EventBuiltins.PRINT,
        List.of(whole(nameOf(probe)), Values.number(top).expr(), Values.number(divisor).expr()));
  }

  /**
   * Prints values by a format, with C's conversions and {@code %v} for the default format.
   *
   * @param format with C's conversions: {@code "%d %s\\n"}
   * @param values a value for each conversion, in order
   * @return the action
   */
  public static Action printf(String format, Value... values) {
    return Action.formatted(EventBuiltins.PRINTF, format, values);
  }

  /**
   * Prints the strings that an array of pointers points to, up to a null pointer, separated by
   * spaces.
   *
   * @param array the address of pointers in the memory of the current process
   * @return the action
   */
  public static Action join(Value array) {
    return Action.call(EventBuiltins.JOIN, Value.exprs(array));
  }

  /**
   * Prints the strings of an array of pointers as {@link #join(Value)}, with a separator.
   *
   * @param array the address of pointers in the memory of the current process
   * @param separator between two strings
   * @return the action
   */
  public static Action join(Value array, String separator) {
    return Action.call(EventBuiltins.JOIN, Value.exprs(array, Values.text(separator)));
  }

  /**
   * Reports an error, formatted as {@link #printf} does; the trace continues.
   *
   * @param format with C's conversions: {@code "%d %s\\n"}
   * @param values a value for each conversion, in order
   * @return the action
   */
  public static Action errorf(String format, Value... values) {
    return Action.formatted(ErrorBuiltins.ERRORF, format, values);
  }

  /**
   * Reports a warning, formatted as {@link #printf} does.
   *
   * @param format with C's conversions: {@code "%d %s\\n"}
   * @param values a value for each conversion, in order
   * @return the action
   */
  public static Action warnf(String format, Value... values) {
    return Action.formatted(ErrorBuiltins.WARNF, format, values);
  }

  /**
   * Prints the start of a file, whose path is formatted as {@link #printf} does.
   *
   * @param format with C's conversions: {@code "%d %s\\n"}
   * @param values a value for each conversion, in order
   * @return the action
   */
  public static Action cat(String format, Value... values) {
    return Action.formatted(SystemBuiltins.CAT, format, values);
  }

  /**
   * Removes all entries of a variable, in the order of output. Updates between a preceding print of
   * it and this are lost.
   *
   * @param variable a variable, with its keys where only one entry is meant
   * @return the action
   */
  public static Action clear(Variable variable) {
    return Action.call(EventBuiltins.CLEAR, List.of(whole(variable.map().name())));
  }

  /**
   * Clears the results of a probe, in the order of output. Updates between a preceding print of it
   * and this are lost.
   *
   * @param probe an aggregating probe of the same trace
   * @return the action
   * @throws IllegalArgumentException if that probe has not been {@linkplain AggregateProbe#named
   *     named}
   */
  public static Action clear(AggregateProbe<?> probe) {
    return Action.call(EventBuiltins.CLEAR, List.of(whole(nameOf(probe))));
  }

  /**
   * Sets all values of a variable to zero, in the order of output.
   *
   * @param variable the variable to change
   * @return the action
   */
  public static Action zero(Variable variable) {
    return Action.call(EventBuiltins.ZERO, List.of(whole(variable.map().name())));
  }

  private static Expr whole(String map) {
    SourceSpan here = CallSite.here();
    return new Expr.MapRead(new MapRef(map, List.of(), here), here);
  }

  private static String nameOf(AggregateProbe<?> probe) {
    return probe
        .name()
        .map(name -> "@" + name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "actions refer to a probe's map by name: give it one with named(…)"));
  }
}
