package dev.ply;

import dev.ply.builtin.AggregateFunctions;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.EventBuiltins;
import dev.ply.ir.Aggregation;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.SourceSpan;
import dev.ply.ir.Statement;
import dev.ply.ir.StepOp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes what a probe can do when it fires, for {@link ProbeBuilder#run}; meant to be imported
 * statically.
 */
public final class Actions {
  private Actions() {}

  /** Sets a variable. */
  public static Action set(Variable variable, Value value) {
    return new Action(new Statement.Store(variable.map(), value.expr(), CallSite.here()));
  }

  /** Sets a scratch variable. */
  public static Action set(Scratch variable, Value value) {
    SourceSpan here = CallSite.here();
    return new Action(new Statement.Assign(variable.name(), here, value.expr(), here));
  }

  /** Declares a scratch variable, zero until it is set. */
  public static Action let(Scratch variable) {
    return new Action(
        new Statement.Declare(
            variable.name(), Optional.empty(), Optional.empty(), CallSite.here()));
  }

  /** Declares a scratch variable with a value. */
  public static Action let(Scratch variable, Value value) {
    return new Action(
        new Statement.Declare(
            variable.name(), Optional.empty(), Optional.of(value.expr()), CallSite.here()));
  }

  /** Adds one to a scratch variable. */
  public static Action increment(Scratch variable) {
    return step(variable, StepOp.POST_INCREMENT);
  }

  /** Adds one to a variable, exact whatever else changes it at the same time. */
  public static Action increment(Variable variable) {
    return step(variable, StepOp.POST_INCREMENT);
  }

  /** Subtracts one from a scratch variable. */
  public static Action decrement(Scratch variable) {
    return step(variable, StepOp.POST_DECREMENT);
  }

  /** Subtracts one from a variable, exact whatever else changes it at the same time. */
  public static Action decrement(Variable variable) {
    return step(variable, StepOp.POST_DECREMENT);
  }

  private static Action step(Value target, StepOp op) {
    SourceSpan here = CallSite.here();
    return new Action(new Statement.Evaluate(new Expr.Step(op, target.expr(), here), here));
  }

  /** Adds to a variable, exact whatever else changes it at the same time. */
  public static Action add(Variable variable, Value value) {
    return new Action(
        new Statement.Update(variable.map(), BinaryOp.ADD, value.expr(), CallSite.here()));
  }

  /** Does things again and again as long as a condition is not zero. */
  public static Action loopWhile(Value condition, Action... actions) {
    SourceSpan here = CallSite.here();
    return new Action(new Statement.While(condition.expr(), Action.block(here, actions), here));
  }

  /** Does things for each number from one to before another. */
  public static Action loop(Scratch index, Value from, Value to, Action... actions) {
    SourceSpan here = CallSite.here();
    return new Action(
        new Statement.ForRange(
            index.name(), from.expr(), to.expr(), Action.block(here, actions), here));
  }

  /** Does things so many times, 1 to 100, without a loop. */
  public static Action unroll(int times, Action... actions) {
    SourceSpan here = CallSite.here();
    Expr count = Values.number(times).expr();
    return new Action(new Statement.Unroll(count, Action.block(here, actions), here));
  }

  /** Leaves the innermost loop. */
  public static Action leaveLoop() {
    return new Action(new Statement.Break(CallSite.here()));
  }

  /** Starts the next round of the innermost loop. */
  public static Action nextRound() {
    return new Action(new Statement.Continue(CallSite.here()));
  }

  /** Removes a variable's value for its keys; nothing happens where there is none. */
  public static Action unset(Variable variable) {
    return new Action(new Statement.Delete(variable.map(), CallSite.here()));
  }

  /** Counts. A variable that aggregates is called with an {@code @}. */
  public static Action count(Variable into) {
    return aggregate(into, new Aggregation(AggregateFunctions.COUNT, List.of(), CallSite.here()));
  }

  /** Sums a value. A variable that aggregates is called with an {@code @}. */
  public static Action sum(Variable into, Value value) {
    return aggregate(
        into, new Aggregation(AggregateFunctions.SUM, List.of(value.expr()), CallSite.here()));
  }

  /** Averages a value. A variable that aggregates is called with an {@code @}. */
  public static Action avg(Variable into, Value value) {
    return aggregate(
        into, new Aggregation(AggregateFunctions.AVG, List.of(value.expr()), CallSite.here()));
  }

  /**
   * Counts how often a value falls between powers of two. A variable that aggregates is called with
   * an {@code @}.
   */
  public static Action quantize(Variable into, Value value) {
    return aggregate(
        into, new Aggregation(AggregateFunctions.QUANTIZE, List.of(value.expr()), CallSite.here()));
  }

  /** Prints values in their default formats, separated by commas; a variable without keys whole. */
  public static Action print(Value... values) {
    return call(EventBuiltins.PRINT, Value.exprs(values));
  }

  /**
   * Prints all that a probe has collected so far.
   *
   * @throws IllegalArgumentException if that probe has no name of its own
   */
  public static Action print(AggregateProbe<?> probe) {
    return call(EventBuiltins.PRINT, List.of(whole(nameOf(probe))));
  }

  /** Prints values as a format says, with C's conversions and {@code %v} for the default format. */
  public static Action printf(String format, Value... values) {
    List<Expr> arguments = new ArrayList<>();
    arguments.add(new Expr.StringLiteral(format, CallSite.here()));
    arguments.addAll(Value.exprs(values));
    return call(EventBuiltins.PRINTF, arguments);
  }

  /** Ends the trace with a status, 0 to 255. */
  public static Action exit(int status) {
    return exit(Values.number(status));
  }

  /** Ends the trace with a status, of which the lower eight bits count. */
  public static Action exit(Value status) {
    return call(EventBuiltins.EXIT, Value.exprs(status));
  }

  /** Does things where {@code condition} is not zero. */
  public static Action.Conditional when(Value condition, Action... actions) {
    SourceSpan here = CallSite.here();
    return new Action.Conditional(
        new Statement.If(condition.expr(), Action.block(here, actions), Action.block(here), here));
  }

  /** Leaves the probe for this hit; other probes in the same place still run. */
  public static Action leave() {
    return new Action(new Statement.Return(CallSite.here()));
  }

  /**
   * Empties a variable, under all its keys, in the order of what is printed. What is stored between
   * a print of it and this is lost.
   */
  public static Action clear(Variable variable) {
    return call(EventBuiltins.CLEAR, List.of(whole(variable.map().name())));
  }

  /**
   * Forgets what a probe has collected, in the order of what is printed. What is counted between a
   * print of it and this is lost.
   *
   * @throws IllegalArgumentException if that probe has no name of its own
   */
  public static Action clear(AggregateProbe<?> probe) {
    return call(EventBuiltins.CLEAR, List.of(whole(nameOf(probe))));
  }

  private static Action aggregate(Variable into, Aggregation aggregation) {
    return new Action(new Statement.Aggregate(into.map(), aggregation, CallSite.here()));
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
