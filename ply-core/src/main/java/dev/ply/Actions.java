package dev.ply;

import dev.ply.builtin.catalog.SystemBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.Statement;
import dev.ply.ir.StepOp;
import dev.ply.ir.TypeName;
import java.util.Optional;

/**
 * Creates the actions for {@link ProbeBuilder#run} that change variables or the system; meant for
 * static import. Others are in {@link AggregateActions}, {@link OutputActions} and {@link
 * ControlActions}.
 */
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
            Optional.of(TypeName.parse(type)),
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
   * Removes a variable's entry for its keys, if it exists.
   *
   * @param variable a variable, with its keys where only one entry is meant
   * @return the action
   */
  public static Action unset(Variable variable) {
    return new Action(new Statement.Delete(variable.map(), CallSite.here()));
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
    return Action.formatted(SystemBuiltins.SYSTEM, format, values);
  }

  /**
   * Sends a signal to the current process, by its name with or without {@code SIG}; only where
   * {@code TraceOptions.unsafe()} allows it.
   *
   * @param name such as {@code "TERM"} or {@code "SIGTERM"}
   * @return the action
   */
  public static Action signal(String name) {
    return Action.call(SystemBuiltins.SIGNAL, Value.exprs(Values.text(name)));
  }

  /**
   * Sends a signal to the current process, by its number, as {@link #signal(String)} does.
   *
   * @param number 1 to 64
   * @return the action
   */
  public static Action signal(Value number) {
    return Action.call(SystemBuiltins.SIGNAL, Value.exprs(number));
  }

  /**
   * Sends a signal to the current thread, as {@link #signal(String)} does to the process.
   *
   * @param name such as {@code "TERM"} or {@code "SIGTERM"}
   * @return the action
   */
  public static Action signalThread(String name) {
    return Action.call(SystemBuiltins.SIGNAL_THREAD, Value.exprs(Values.text(name)));
  }

  /**
   * Sends a signal to the current thread, by its number.
   *
   * @param number 1 to 64
   * @return the action
   */
  public static Action signalThread(Value number) {
    return Action.call(SystemBuiltins.SIGNAL_THREAD, Value.exprs(number));
  }

  /**
   * Has the probed function return a value instead of being run; in a kprobe, and only where {@code
   * TraceOptions.unsafe()} allows it.
   *
   * @param result what the caller receives, such as a negative errno
   * @return the action
   */
  public static Action override(Value result) {
    return Action.call(SystemBuiltins.OVERRIDE, Value.exprs(result));
  }

  /**
   * Detaches the trace's watchpoints at an address, when the event arrives: accesses until then are
   * still reported.
   *
   * @param address as the watchpoint has it
   * @return the action
   */
  public static Action unwatch(Value address) {
    return Action.call(SystemBuiltins.UNWATCH, Value.exprs(address));
  }
}
