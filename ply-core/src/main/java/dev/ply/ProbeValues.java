package dev.ply;

import dev.ply.builtin.catalog.CallBuiltins;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.StackBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import dev.ply.table.StackMode;

/** Creates the values of a hit: arguments, results, registers, stacks; a part of {@link Values}. */
abstract class ProbeValues extends ThreadValues {
  ProbeValues() {}

  /**
   * {@return argument {@code index} of the probed function, counted from 0, as an unsigned
   * register; in a kprobe}
   *
   * @param index counted from 0
   */
  public static Value arg(int index) {
    return new Value(new Expr.Argument(index, CallSite.here()));
  }

  /** {@return the result of the probed function, as a signed register; in a kretprobe} */
  public static Value retval() {
    return Value.call(ContextBuiltins.RETVAL);
  }

  /**
   * {@return the nanoseconds from the entry to this return of the function, printed as a duration;
   * in a kretprobe, uretprobe or fexit} Recursive calls are distinct, to a depth of 64. Calls that
   * began before the trace are no hits.
   */
  public static Value latency() {
    return Value.call(CallBuiltins.LATENCY);
  }

  /**
   * {@return a value at the entry of the function that returns; in a kretprobe, uretprobe or fexit,
   * for the calls that {@link #latency} is for}
   *
   * @param value an expression of the entry: {@code entry(arg(2))}
   */
  public static Value entry(Value value) {
    return Value.call(CallBuiltins.ENTRY, value);
  }

  /** {@return the probed address, printed as symbol and offset; in a kprobe} */
  public static Value caller() {
    return Value.call(ContextBuiltins.CALLER);
  }

  /** {@return the address of the probed function; in a kprobe, uprobe or on the return of one} */
  public static Value funcIp() {
    return Value.call(ContextBuiltins.FUNC_IP);
  }

  /**
   * {@return a field of the tracepoint's record; in a tracepoint}
   *
   * @param name as the tracepoint's format has it
   */
  public static Value field(String name) {
    SourceSpan here = CallSite.here();
    Expr data = new Expr.Call(ContextBuiltins.DATA, Value.exprs(), here);
    return new Value(new Expr.Member(data, Expr.Member.Access.ARROW, name, here, here));
  }

  /**
   * {@return a saved register, unsigned, printed in hexadecimal; in a kprobe or kretprobe}
   *
   * @param name a member of struct pt_regs: {@code rip} on x86-64
   */
  public static Value regs(String name) {
    SourceSpan here = CallSite.here();
    Expr regs = new Expr.Call(ContextBuiltins.REGS, Value.exprs(), here);
    return new Value(new Expr.Member(regs, Expr.Member.Access.ARROW, name, here, here));
  }

  /**
   * {@return a saved register as {@link #regs} does, by a name that may lack its {@code r} on
   * x86-64}
   *
   * @param name of a register, such as {@code "ax"}
   */
  public static Value reg(String name) {
    return Value.call(ContextBuiltins.REG, Values.text(name));
  }

  /**
   * {@return the kernel stack, at most 32 frames, innermost first, printed as symbols and offsets}
   * Empty where a timer interrupts user space.
   */
  public static Value stack() {
    return Value.call(StackBuiltins.STACK);
  }

  /**
   * {@return the kernel stack, at most {@code depth} frames, 1 to 127}
   *
   * @param depth the maximum number of frames, innermost first, 1 to 127
   */
  public static Value stack(int depth) {
    return Value.call(StackBuiltins.STACK, Values.number(depth));
  }

  /**
   * {@return the kernel stack, at most {@code depth} frames, 1 to 127}
   *
   * @param mode the format in which it is printed
   * @param depth the maximum number of frames, innermost first, 1 to 127
   */
  public static Value stack(StackMode mode, int depth) {
    return Value.call(StackBuiltins.STACK, Values.text(mode.canonicalName()), Values.number(depth));
  }

  /**
   * {@return the user stack, at most 127 frames, innermost first, printed as symbols and offsets}
   * Functions compiled without frame pointers hide their callers.
   */
  public static Value ustack() {
    return Value.call(StackBuiltins.USTACK);
  }

  /**
   * {@return the user stack, at most {@code depth} frames, 1 to 127}
   *
   * @param depth the maximum number of frames, innermost first, 1 to 127
   */
  public static Value ustack(int depth) {
    return Value.call(StackBuiltins.USTACK, Values.number(depth));
  }

  /**
   * {@return the user stack, at most {@code depth} frames, 1 to 127}
   *
   * @param mode the format in which it is printed
   * @param depth the maximum number of frames, innermost first, 1 to 127
   */
  public static Value ustack(StackMode mode, int depth) {
    return Value.call(
        StackBuiltins.USTACK, Values.text(mode.canonicalName()), Values.number(depth));
  }

  /** {@return the name of the probed function} */
  public static Value func() {
    return Value.call(ContextBuiltins.FUNC);
  }

  /** {@return the kind of the probe: {@code kprobe}, {@code tracepoint}; {@code special}} */
  public static Value probetype() {
    return Value.call(ContextBuiltins.PROBETYPE);
  }

  /**
   * {@return the settings of the trace, with a field for each: {@code
   * config().field("max_strlen")}}
   */
  public static Value config() {
    return Value.call(ContextBuiltins.CONFIG);
  }

  /** {@return whether the CPU was in user mode: 1 or 0} */
  public static Value usermode() {
    return Value.call(ContextBuiltins.USERMODE);
  }

  /** {@return the address of the probe's context, printed in hexadecimal} */
  public static Value ctx() {
    return Value.call(ContextBuiltins.CTX);
  }

  /** {@return the probe site that was hit, printed as scripts define it} */
  public static Value probe() {
    return Value.call(ContextBuiltins.PROBE);
  }

  /**
   * {@return a word of the stack at a function's entry: an argument that does not fit the
   * registers}
   *
   * @param index from 0
   */
  public static Value stackArgument(int index) {
    return Value.call(ContextBuiltins.SARG, Values.number(index));
  }
}
