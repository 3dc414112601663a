package dev.ply;

import dev.ply.builtin.catalog.ErrorBuiltins;
import dev.ply.builtin.catalog.EventBuiltins;
import dev.ply.builtin.catalog.TypeBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import java.util.List;

/** Creates the actions that branch, loop, check and stop; meant for static import. */
public final class ControlActions {
  private ControlActions() {}

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
    return Action.call(
        ErrorBuiltins.ASSERT, List.of(condition.expr(), Values.text(message).expr()));
  }

  /**
   * Refuses the trace with a message, unless a constant condition is true.
   *
   * @param condition of constants
   * @param message the message of the refusal
   * @return the action
   */
  public static Action staticCheck(Value condition, String message) {
    return Action.call(
        ErrorBuiltins.STATIC_ASSERT, List.of(condition.expr(), Values.text(message).expr()));
  }

  /**
   * Refuses the trace unless a value is a string.
   *
   * @param value not evaluated
   * @return the action
   */
  public static Action checkString(Value value) {
    return Action.call(TypeBuiltins.ASSERT_STR, List.of(value.expr()));
  }

  /**
   * Refuses the trace with a message, unless it is in a branch that a constant condition excludes.
   *
   * @param format as of {@code printf}
   * @param values constants
   * @return the action
   */
  public static Action fail(String format, Value... values) {
    return Action.formatted(ErrorBuiltins.FAIL, format, values);
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
    return Action.call(EventBuiltins.EXIT, Value.exprs(status));
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
}
