package dev.ply;

import dev.ply.builtin.AggregateFunctions;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.ErrorBuiltins;
import dev.ply.builtin.EventBuiltins;
import dev.ply.builtin.SystemBuiltins;
import dev.ply.builtin.TypeBuiltins;
import dev.ply.ir.Aggregation;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.SourceSpan;
import dev.ply.ir.Statement;
import dev.ply.ir.StepOp;
import dev.ply.result.TimeSeries.Reduction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Creates actions for {@link ProbeBuilder#run}; meant for static import. */
public final class Actions {
  private Actions() {}

  /**
   * Sets a variable.
   *
   * @param variable the variable to change
   * @param value a number, or a string for variables of strings
   * @return the action
   */
  public static Action set(Variable variable, Value value) {
    return new Action(new Statement.Store(variable.map(), value.expr(), CallSite.here()));
  }

  /**
   * Sets a scratch variable.
   *
   * @param variable the variable to change
   * @param value a number, or a string for variables of strings
   * @return the action
   */
  public static Action set(Scratch variable, Value value) {
    SourceSpan here = CallSite.here();
    return new Action(new Statement.Assign(variable.name(), here, value.expr(), here));
  }

  /**
   * Declares a scratch variable, initially zero.
   *
   * @param variable the scratch variable, known from here on
   * @return the action
   */
  public static Action let(Scratch variable) {
    return new Action(
        new Statement.Declare(
            variable.name(), Optional.empty(), Optional.empty(), CallSite.here()));
  }

  /**
   * Declares a scratch variable with a value.
   *
   * @param variable the scratch variable, known from here on
   * @param value a number, or a string for variables of strings
   * @return the action
   */
  public static Action let(Scratch variable, Value value) {
    return new Action(
        new Statement.Declare(
            variable.name(), Optional.empty(), Optional.of(value.expr()), CallSite.here()));
  }

  /**
   * Declares a scratch variable of a type, with a value.
   *
   * @param variable the scratch variable, known from here on
   * @param type the type's name, {@code uint32} or {@code struct sock *}
   * @param value a value that fits the type
   * @return the action
   */
  public static Action let(Scratch variable, String type, Value value) {
    return new Action(
        new Statement.Declare(
            variable.name(),
            Optional.of(Value.typeName(type)),
            Optional.of(value.expr()),
            CallSite.here()));
  }

  /**
   * Runs actions in a block of their own: scratch variables that are declared in it end with it.
   *
   * @param actions what to run, in order
   * @return the action
   */
  public static Action block(Action... actions) {
    return new Action(Action.block(CallSite.here(), actions));
  }

  /**
   * Adds one to a scratch variable.
   *
   * @param variable the variable to change
   * @return the action
   */
  public static Action increment(Scratch variable) {
    return step(variable, StepOp.POST_INCREMENT);
  }

  /**
   * Atomically adds one to a variable.
   *
   * @param variable the variable to change
   * @return the action
   */
  public static Action increment(Variable variable) {
    return step(variable, StepOp.POST_INCREMENT);
  }

  /**
   * Subtracts one from a scratch variable.
   *
   * @param variable the variable to change
   * @return the action
   */
  public static Action decrement(Scratch variable) {
    return step(variable, StepOp.POST_DECREMENT);
  }

  /**
   * Atomically subtracts one from a variable.
   *
   * @param variable the variable to change
   * @return the action
   */
  public static Action decrement(Variable variable) {
    return step(variable, StepOp.POST_DECREMENT);
  }

  private static Action step(Value target, StepOp op) {
    SourceSpan here = CallSite.here();
    return new Action(new Statement.Evaluate(new Expr.Step(op, target.expr(), here), here));
  }

  /**
   * Atomically adds to a variable.
   *
   * @param variable the variable to change
   * @param value a number, or a string for variables of strings
   * @return the action
   */
  public static Action add(Variable variable, Value value) {
    return new Action(
        new Statement.Update(variable.map(), BinaryOp.ADD, value.expr(), CallSite.here()));
  }

  /**
   * Repeats actions while a condition is not zero.
   *
   * @param condition a number or address: true unless zero
   * @param actions what to run, in order
   * @return the action
   */
  public static Action loopWhile(Value condition, Action... actions) {
    SourceSpan here = CallSite.here();
    return new Action(new Statement.While(condition.expr(), Action.block(here, actions), here));
  }

  /**
   * Runs actions for each integer from {@code from} to before {@code to}.
   *
   * @param index takes the numbers, one in each round
   * @param from the first number
   * @param to the number after the last
   * @param actions what to run, in order
   * @return the action
   */
  public static Action loop(Scratch index, Value from, Value to, Action... actions) {
    SourceSpan here = CallSite.here();
    return new Action(
        new Statement.ForRange(
            index.name(), from.expr(), to.expr(), Action.block(here, actions), here));
  }

  /**
   * Runs actions for each entry of a map, in no particular order. Needs kernel 5.13.
   *
   * @param entry a tuple of key and value; the key is itself a tuple if it has several components
   * @param map the variable whose entries are visited
   * @param actions what to run, in order
   * @return the action
   */
  public static Action loop(Scratch entry, Variable map, Action... actions) {
    SourceSpan here = CallSite.here();
    MapRef whole = new MapRef(map.map().name(), List.of(), here);
    return new Action(
        new Statement.ForEach(entry.name(), whole, Action.block(here, actions), here));
  }

  /**
   * Repeats actions 1 to 100 times, without a loop.
   *
   * @param times 1 to 100
   * @param actions what to run, in order
   * @return the action
   */
  public static Action unroll(int times, Action... actions) {
    SourceSpan here = CallSite.here();
    Expr count = Values.number(times).expr();
    return new Action(new Statement.Unroll(count, Action.block(here, actions), here));
  }

  /**
   * Stops the trace with status 1 and a message, unless a condition is true.
   *
   * @param condition a number or address: true unless zero
   * @param message printed before the trace stops
   * @return the action
   */
  public static Action check(Value condition, String message) {
    SourceSpan here = CallSite.here();
    List<Expr> arguments = List.of(condition.expr(), Values.text(message).expr());
    return new Action(
        new Statement.Evaluate(new Expr.Call(ErrorBuiltins.ASSERT, arguments, here), here));
  }

  /**
   * Refuses the trace with a message, unless a constant condition is true.
   *
   * @param condition of constants
   * @param message the message of the refusal
   * @return the action
   */
  public static Action staticCheck(Value condition, String message) {
    return call(
        ErrorBuiltins.STATIC_ASSERT, List.of(condition.expr(), Values.text(message).expr()));
  }

  /**
   * Prints a line to the kernel's trace buffer.
   *
   * @param format with the conversions of {@code bpf_trace_printk}
   * @param values numbers and strings, up to three
   * @return the action
   */
  public static Action debugf(String format, Value... values) {
    return formatted(SystemBuiltins.DEBUGF, format, values);
  }

  /**
   * Refuses the trace unless a value is a string.
   *
   * @param value not evaluated
   * @return the action
   */
  public static Action checkString(Value value) {
    return call(TypeBuiltins.ASSERT_STR, List.of(value.expr()));
  }

  /**
   * Refuses the trace with a message, unless it is in a branch that a constant condition excludes.
   *
   * @param format as of {@code printf}
   * @param values constants
   * @return the action
   */
  public static Action fail(String format, Value... values) {
    return formatted(ErrorBuiltins.FAIL, format, values);
  }

  /**
   * Leaves the innermost loop.
   *
   * @return the action
   */
  public static Action leaveLoop() {
    return new Action(new Statement.Break(CallSite.here()));
  }

  /**
   * Starts the next iteration of the innermost loop.
   *
   * @return the action
   */
  public static Action nextRound() {
    return new Action(new Statement.Continue(CallSite.here()));
  }

  /**
   * Removes a variable's entry for its keys, if it exists.
   *
   * @param variable a variable, with its keys where only one entry is meant
   * @return the action
   */
  public static Action unset(Variable variable) {
    return new Action(new Statement.Delete(variable.map(), CallSite.here()));
  }

  /**
   * Counts. The name of an aggregating variable starts with {@code @}.
   *
   * @param into the aggregating variable, {@code @} before its name
   * @return the action
   */
  public static Action count(Variable into) {
    return aggregate(into, new Aggregation(AggregateFunctions.COUNT, List.of(), CallSite.here()));
  }

  /**
   * Sums a value. The name of an aggregating variable starts with {@code @}.
   *
   * @param into the aggregating variable, {@code @} before its name
   * @param value a number, or a string for variables of strings
   * @return the action
   */
  public static Action sum(Variable into, Value value) {
    return aggregate(
        into, new Aggregation(AggregateFunctions.SUM, List.of(value.expr()), CallSite.here()));
  }

  /**
   * Averages a value. The name of an aggregating variable starts with {@code @}.
   *
   * @param into the aggregating variable, {@code @} before its name
   * @param value a number, or a string for variables of strings
   * @return the action
   */
  public static Action avg(Variable into, Value value) {
    return aggregate(
        into, new Aggregation(AggregateFunctions.AVG, List.of(value.expr()), CallSite.here()));
  }

  /**
   * Collects count, average and total of a value. The name of an aggregating variable starts with
   * {@code @}.
   *
   * @param into the aggregating variable, {@code @} before its name
   * @param value a number, or a string for variables of strings
   * @return the action
   */
  public static Action stats(Variable into, Value value) {
    return aggregate(
        into, new Aggregation(AggregateFunctions.STATS, List.of(value.expr()), CallSite.here()));
  }

  /**
   * Keeps the smallest value. The name of an aggregating variable starts with {@code @}.
   *
   * @param into the aggregating variable, {@code @} before its name
   * @param value a number, or a string for variables of strings
   * @return the action
   */
  public static Action min(Variable into, Value value) {
    return aggregate(
        into, new Aggregation(AggregateFunctions.MIN, List.of(value.expr()), CallSite.here()));
  }

  /**
   * Keeps the largest value. The name of an aggregating variable starts with {@code @}.
   *
   * @param into the aggregating variable, {@code @} before its name
   * @param value a number, or a string for variables of strings
   * @return the action
   */
  public static Action max(Variable into, Value value) {
    return aggregate(
        into, new Aggregation(AggregateFunctions.MAX, List.of(value.expr()), CallSite.here()));
  }

  /**
   * Adds a value to a histogram of powers of two. The name of an aggregating variable starts with
   * {@code @}.
   *
   * @param into the aggregating variable, {@code @} before its name
   * @param value a number, or a string for variables of strings
   * @return the action
   */
  public static Action quantize(Variable into, Value value) {
    return aggregate(
        into, new Aggregation(AggregateFunctions.QUANTIZE, List.of(value.expr()), CallSite.here()));
  }

  /**
   * Adds a value to a histogram of powers of two, each divided into {@code 2^bits} ranges, 1 to 5
   * bits. The name of an aggregating variable starts with {@code @}.
   *
   * @param into the aggregating variable, {@code @} before its name
   * @param value a number, or a string for variables of strings
   * @param bits 1 to 5: ranges are {@code 2^-bits} of their lower limit wide
   * @return the action
   */
  public static Action quantize(Variable into, Value value, int bits) {
    List<Expr> arguments = List.of(value.expr(), Values.number(bits).expr());
    return aggregate(
        into, new Aggregation(AggregateFunctions.QUANTIZE, arguments, CallSite.here()));
  }

  /**
   * Adds a value to a histogram of ranges of width {@code step} from min to max. The name of an
   * aggregating variable starts with {@code @}.
   *
   * @param into the aggregating variable, {@code @} before its name
   * @param value a number, or a string for variables of strings
   * @param min the lower limit of the first range
   * @param max the upper limit of the last range, exclusive
   * @param step the width of a range, at least 1
   * @return the action
   */
  public static Action lhist(Variable into, Value value, long min, long max, long step) {
    List<Expr> arguments =
        List.of(
            value.expr(),
            Values.number(min).expr(),
            Values.number(max).expr(),
            Values.number(step).expr());
    return aggregate(into, new Aggregation(AggregateFunctions.LHIST, arguments, CallSite.here()));
  }

  /**
   * Keeps a value of each of the newest intervals. The name of an aggregating variable starts with
   * {@code @}.
   *
   * @param into the aggregating variable, {@code @} before its name
   * @param value a number, or a string for variables of strings
   * @param interval the length of an interval, at least 1 ns
   * @param intervals 1 to 1000
   * @param reduction what the value of an interval is
   * @return the action
   */
  public static Action tseries(
      Variable into, Value value, Duration interval, int intervals, Reduction reduction) {
    return aggregate(into, series(value, interval, intervals, reduction));
  }

  static Aggregation series(Value value, Duration interval, int intervals, Reduction reduction) {
    List<Expr> arguments = new ArrayList<>();
    arguments.add(value.expr());
    arguments.add(Values.number(interval.toNanos()).expr());
    arguments.add(Values.number(intervals).expr());
    SourceSpan span = CallSite.here();
    if (reduction != Reduction.LAST) {
      arguments.add(new Expr.StringLiteral(reduction.word(), span));
    }
    return new Aggregation(AggregateFunctions.TSERIES, arguments, span);
  }

  /**
   * Prints values in their default formats, separated by commas; a variable without keys is printed
   * whole.
   *
   * @param values numbers, strings, stacks, or variables
   * @return the action
   */
  public static Action print(Value... values) {
    return call(EventBuiltins.PRINT, Value.exprs(values));
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
    return call(EventBuiltins.PRINT, List.of(whole(nameOf(probe))));
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
    return call(
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
    return formatted(EventBuiltins.PRINTF, format, values);
  }

  /**
   * Prints the strings that an array of pointers points to, up to a null pointer, separated by
   * spaces.
   *
   * @param array the address of pointers in the memory of the current process
   * @return the action
   */
  public static Action join(Value array) {
    return call(EventBuiltins.JOIN, Value.exprs(array));
  }

  /**
   * Prints the strings of an array of pointers as {@link #join(Value)}, with a separator.
   *
   * @param array the address of pointers in the memory of the current process
   * @param separator between two strings
   * @return the action
   */
  public static Action join(Value array, String separator) {
    return call(EventBuiltins.JOIN, Value.exprs(array, Values.text(separator)));
  }

  /**
   * Reports an error, formatted as {@link #printf} does; the trace goes on.
   *
   * @param format with C's conversions: {@code "%d %s\\n"}
   * @param values a value for each conversion, in order
   * @return the action
   */
  public static Action errorf(String format, Value... values) {
    return formatted(ErrorBuiltins.ERRORF, format, values);
  }

  /**
   * Reports a warning, formatted as {@link #printf} does.
   *
   * @param format with C's conversions: {@code "%d %s\\n"}
   * @param values a value for each conversion, in order
   * @return the action
   */
  public static Action warnf(String format, Value... values) {
    return formatted(ErrorBuiltins.WARNF, format, values);
  }

  /**
   * Prints the start of a file, whose path is formatted as {@link #printf} does.
   *
   * @param format with C's conversions: {@code "%d %s\\n"}
   * @param values a value for each conversion, in order
   * @return the action
   */
  public static Action cat(String format, Value... values) {
    return formatted(SystemBuiltins.CAT, format, values);
  }

  /**
   * Runs a shell command, in which values take the places of conversions as quoted words; only
   * where {@code TraceOptions.unsafe()} allows it.
   *
   * @param format with C's conversions: {@code "%d %s\\n"}
   * @param values a value for each conversion, in order
   * @return the action
   */
  public static Action system(String format, Value... values) {
    return formatted(SystemBuiltins.SYSTEM, format, values);
  }

  /**
   * Sends a signal to the current process, by its name with or without {@code SIG}; only where
   * {@code TraceOptions.unsafe()} allows it.
   *
   * @param name such as {@code "TERM"} or {@code "SIGTERM"}
   * @return the action
   */
  public static Action signal(String name) {
    return call(SystemBuiltins.SIGNAL, Value.exprs(Values.text(name)));
  }

  /**
   * Sends a signal to the current process, by its number, as {@link #signal(String)} does.
   *
   * @param number 1 to 64
   * @return the action
   */
  public static Action signal(Value number) {
    return call(SystemBuiltins.SIGNAL, Value.exprs(number));
  }

  /**
   * Sends a signal to the current thread, as {@link #signal(String)} does to the process.
   *
   * @param name such as {@code "TERM"} or {@code "SIGTERM"}
   * @return the action
   */
  public static Action signalThread(String name) {
    return call(SystemBuiltins.SIGNAL_THREAD, Value.exprs(Values.text(name)));
  }

  /**
   * Sends a signal to the current thread, by its number.
   *
   * @param number 1 to 64
   * @return the action
   */
  public static Action signalThread(Value number) {
    return call(SystemBuiltins.SIGNAL_THREAD, Value.exprs(number));
  }

  /**
   * Has the probed function return a value instead of being run; in a kprobe, and only where {@code
   * TraceOptions.unsafe()} allows it.
   *
   * @param result what the caller receives, such as a negative errno
   * @return the action
   */
  public static Action override(Value result) {
    return call(SystemBuiltins.OVERRIDE, Value.exprs(result));
  }

  /**
   * Stops the trace with a status, 0 to 255.
   *
   * @param status 0 to 255, which {@link Session#exitStatus} returns
   * @return the action
   */
  public static Action exit(int status) {
    return exit(Values.number(status));
  }

  /**
   * Stops the trace with a status, of which the lower eight bits are used.
   *
   * @param status 0 to 255, which {@link Session#exitStatus} returns
   * @return the action
   */
  public static Action exit(Value status) {
    return call(EventBuiltins.EXIT, Value.exprs(status));
  }

  /**
   * Runs actions if {@code condition} is not zero.
   *
   * @param condition a number or address: true unless zero
   * @param actions what to run, in order
   * @return the action, to which {@code otherwise} adds the other case
   */
  public static Action.Conditional when(Value condition, Action... actions) {
    SourceSpan here = CallSite.here();
    return new Action.Conditional(
        new Statement.If(condition.expr(), Action.block(here, actions), Action.block(here), here));
  }

  /**
   * Leaves the probe for this hit; other probes on the same site still run.
   *
   * @return the action
   */
  public static Action leave() {
    return new Action(new Statement.Return(CallSite.here()));
  }

  /**
   * Removes all entries of a variable, in the order of output. Updates between a preceding print of
   * it and this are lost.
   *
   * @param variable a variable, with its keys where only one entry is meant
   * @return the action
   */
  public static Action clear(Variable variable) {
    return call(EventBuiltins.CLEAR, List.of(whole(variable.map().name())));
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
    return call(EventBuiltins.CLEAR, List.of(whole(nameOf(probe))));
  }

  /**
   * Sets all values of a variable to zero, in the order of output.
   *
   * @param variable the variable to change
   * @return the action
   */
  public static Action zero(Variable variable) {
    return call(EventBuiltins.ZERO, List.of(whole(variable.map().name())));
  }

  private static Action aggregate(Variable into, Aggregation aggregation) {
    return new Action(new Statement.Aggregate(into.map(), aggregation, CallSite.here()));
  }

  private static Action formatted(Builtin function, String format, Value... values) {
    List<Expr> arguments = new ArrayList<>();
    arguments.add(new Expr.StringLiteral(format, CallSite.here()));
    arguments.addAll(Value.exprs(values));
    return call(function, arguments);
  }

  private static Action call(Builtin function, List<Expr> arguments) {
    SourceSpan here = CallSite.here();
    return new Action(new Statement.Evaluate(new Expr.Call(function, arguments, here), here));
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
                    "actions find what a probe collects by its name: give it one with named(…)"));
  }
}
