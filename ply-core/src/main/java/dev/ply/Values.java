package dev.ply;

import dev.ply.builtin.StackShape;
import dev.ply.builtin.StackWalk;
import dev.ply.builtin.catalog.CallBuiltins;
import dev.ply.builtin.catalog.ClockBuiltins;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.MapBuiltins;
import dev.ply.builtin.catalog.MemoryBuiltins;
import dev.ply.builtin.catalog.StackBuiltins;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.table.StackMode;
import dev.ply.target.ClockMode;
import dev.ply.target.PidScope;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Creates the everyday values of probes; meant for static import. Others are in {@link
 * dev.ply.value} by subject.
 */
public final class Values {
  private static final Pattern VARIABLE = Pattern.compile("@[A-Za-z0-9_]*|[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern SCRATCH = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private Values() {}

  /** {@return the PID (TGID) in the tracer's PID namespace, 0 for processes of others} */
  public static Value pid() {
    return Value.call(ThreadBuiltins.PID);
  }

  /**
   * {@return the PID (TGID) in a PID namespace}
   *
   * @param scope the namespace whose number it is
   */
  public static Value pid(PidScope scope) {
    return Value.call(ThreadBuiltins.PID, Values.text(scope.canonicalName()));
  }

  /** {@return the TID in the tracer's PID namespace, 0 for threads of others} */
  public static Value tid() {
    return Value.call(ThreadBuiltins.KPID);
  }

  /**
   * {@return the TID in a PID namespace}
   *
   * @param scope the namespace whose number it is
   */
  public static Value tid(PidScope scope) {
    return Value.call(ThreadBuiltins.KPID, Values.text(scope.canonicalName()));
  }

  /** {@return the thread's name, at most 15 bytes} */
  public static Value comm() {
    return Value.call(ThreadBuiltins.COMM);
  }

  /** {@return the UID} */
  public static Value uid() {
    return Value.call(ThreadBuiltins.UID);
  }

  /** {@return the current CPU number} */
  public static Value cpu() {
    return Value.call(ThreadBuiltins.CPU);
  }

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
   * {@return the nanoseconds from the entry to this return of the function, printed as a duration;
   * in a kretprobe, uretprobe or fexit} Recursive calls are distinct, to a depth of 64. Calls that
   * began before the trace are not hits.
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

  /** {@return the probe site that was hit, printed as scripts define it} */
  public static Value probe() {
    return Value.call(ContextBuiltins.PROBE);
  }

  /** {@return the name of the probed function} */
  public static Value func() {
    return Value.call(ContextBuiltins.FUNC);
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
   * {@return the kernel stack, at most 32 frames, innermost first}
   *
   * @param mode the print format; {@link StackMode#FUNCTIONS} as a key makes one row of stacks
   *     through the same functions
   */
  public static Value stack(StackMode mode) {
    return Value.call(StackBuiltins.STACK, Values.text(mode.canonicalName()));
  }

  /**
   * {@return the kernel stack, at most 32 frames, on the user stack, at most 127, innermost first}
   */
  public static Value bothStacks() {
    return Value.call(StackBuiltins.STACK, Values.text(StackShape.BOTH));
  }

  /**
   * {@return the kernel stack on the user stack, at most {@code depth} frames of each, 1 to 127}
   *
   * @param depth of both
   */
  public static Value bothStacks(int depth) {
    return Value.call(StackBuiltins.STACK, Values.text(StackShape.BOTH), Values.number(depth));
  }

  /**
   * {@return the kernel stack, at most 32 frames, on the user stack, at most 127, innermost first}
   *
   * @param mode the print format; {@link StackMode#FUNCTIONS} as a key makes one row of stacks
   *     through the same functions
   */
  public static Value bothStacks(StackMode mode) {
    return Value.call(
        StackBuiltins.STACK, Values.text(StackShape.BOTH), Values.text(mode.canonicalName()));
  }

  /**
   * {@return the kernel stack on the user stack, at most {@code depth} frames of each, 1 to 127}
   *
   * @param mode the print format; {@link StackMode#FUNCTIONS} as a key makes one row of stacks
   *     through the same functions
   * @param depth of both
   */
  public static Value bothStacks(StackMode mode, int depth) {
    return Value.call(
        StackBuiltins.STACK,
        Values.text(StackShape.BOTH),
        Values.text(mode.canonicalName()),
        Values.number(depth));
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

  /**
   * {@return the user stack, at most 127 frames, innermost first}
   *
   * @param mode the print format; {@link StackMode#FUNCTIONS} as a key makes one row of stacks
   *     through the same functions
   */
  public static Value ustack(StackMode mode) {
    return Value.call(StackBuiltins.USTACK, Values.text(mode.canonicalName()));
  }

  /**
   * {@return the user stack, at most 127 frames, found in a way of one's own choice}
   *
   * @param walk how frames are found
   */
  public static Value ustack(StackWalk walk) {
    return Value.call(StackBuiltins.USTACK, Values.text(walk.canonicalName()));
  }

  /**
   * {@return the string at an address, at most 127 bytes; a longer one is shown with {@code ..}}
   *
   * @param address in the memory of the current process, or of the kernel
   */
  public static Value str(Value address) {
    return Value.call(MemoryBuiltins.STR, address);
  }

  /**
   * {@return the string at an address, in at most {@code size} bytes including the NUL, 1 to 16384}
   *
   * @param address in the memory of the current process, or of the kernel
   * @param size in bytes
   */
  public static Value str(Value address, int size) {
    return Value.call(MemoryBuiltins.STR, address, Values.number(size));
  }

  /**
   * {@return the string at an address, in at most {@code size} bytes including the NUL, computed
   * while tracing and limited to {@code limit}, 1 to 16384}
   *
   * @param address in the memory of the current process, or of the kernel
   * @param size in bytes
   * @param limit the maximum of the size, which is memory of each event
   */
  public static Value str(Value address, Value size, int limit) {
    return Value.call(MemoryBuiltins.STR, address, size, Values.number(limit));
  }

  /** {@return nanoseconds since boot, without suspend, printed as a duration} */
  public static Value time() {
    return Value.call(ClockBuiltins.TIME);
  }

  /** {@return nanoseconds since boot, without suspend, printed as the time of day} */
  public static Value walltime() {
    return Value.call(ClockBuiltins.WALLTIME);
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

  /**
   * {@return a constant}
   *
   * @param value of 64 bits
   */
  public static Value number(long value) {
    return new Value(Expr.number(value, CallSite.here()));
  }

  /**
   * {@return a constant string}
   *
   * @param value without NUL
   */
  public static Value text(String value) {
    return new Value(new Expr.StringLiteral(value, CallSite.here()));
  }

  /**
   * {@return a tuple, whose elements {@link Value#part} selects}
   *
   * @param elements at least one, numbers or strings
   */
  public static Value tuple(Value... elements) {
    return new Value(new Expr.Tuple(Value.exprs(elements), CallSite.here()));
  }

  /**
   * {@return a variable shared by probes: one value for each combination of keys, initially zero}
   *
   * @param name letters, digits and underscores, after an {@code @} if it aggregates; the same name
   *     denotes the same variable throughout a trace
   * @param keys numbers or strings, none for a single value
   * @throws IllegalArgumentException if the name has other characters, or none
   */
  public static Variable variable(String name, Value... keys) {
    if (!VARIABLE.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "\""
              + name
              + "\" is not a variable name: use letters, digits and underscores, after an @ if it"
              + " aggregates");
    }
    SourceSpan here = CallSite.here();
    return new Variable(new MapRef(name, Value.exprs(keys), here), here);
  }

  /**
   * {@return whether a variable has an entry for its keys: 1 or 0}
   *
   * @param variable of the same trace
   */
  public static Value hasKey(Variable variable) {
    return Value.call(MapBuiltins.HAS_KEY, variable);
  }

  /**
   * {@return the number of entries of a variable with keys} Needs kernel 5.13.
   *
   * @param variable of the same trace
   */
  public static Value len(Variable variable) {
    SourceSpan here = CallSite.here();
    MapRef whole = new MapRef(variable.map().name(), List.of(), here);
    return new Value(new Expr.Call(MapBuiltins.LEN, List.of(new Expr.MapRead(whole, here)), here));
  }

  /**
   * {@return whether a variable has an entry for its keys, whose value is then assigned: 1 or 0}
   *
   * @param variable of the same trace
   * @param found keeps its value if there is no entry
   */
  public static Value find(Variable variable, Scratch found) {
    return Value.call(MapBuiltins.FIND, variable, found);
  }

  /**
   * {@return a scratch variable, to be set with {@link Actions#let} or {@link Actions#set(Scratch,
   * Value)} before it is read}
   *
   * @param name without {@code $}
   */
  public static Scratch scratch(String name) {
    if (!SCRATCH.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "\""
              + name
              + "\" is not the name of a scratch variable: use letters, digits and underscores, not"
              + " a digit first; the $ is added");
    }
    return new Scratch("$" + name, CallSite.here());
  }
}
