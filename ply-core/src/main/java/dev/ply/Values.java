package dev.ply;

import dev.ply.builtin.Builtin;
import dev.ply.builtin.ClockBuiltins;
import dev.ply.builtin.ContextBuiltins;
import dev.ply.builtin.MemoryBuiltins;
import dev.ply.builtin.StackBuiltins;
import dev.ply.builtin.StringBuiltins;
import dev.ply.builtin.SymbolBuiltins;
import dev.ply.builtin.ThreadBuiltins;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.SourceSpan;
import dev.ply.result.StackMode;

/** Makes the values a probe can work with; meant to be imported statically. */
public final class Values {
  private Values() {}

  /**
   * Returns argument {@code index} of the probed function, counted from 0, as an unsigned machine
   * word; in a kprobe.
   */
  public static Value arg(int index) {
    return new Value(new Expr.Argument(index, CallSite.here()));
  }

  /** Returns what the probed function returns, as a signed machine word; in a kretprobe. */
  public static Value retval() {
    return builtIn(ContextBuiltins.RETVAL);
  }

  /** Returns the probed address; prints as function and offset; in a kprobe. */
  public static Value caller() {
    return builtIn(ContextBuiltins.CALLER);
  }

  /** Returns a field of the tracepoint's record; in a tracepoint. */
  public static Value field(String name) {
    SourceSpan here = CallSite.here();
    Expr data = new Expr.Call(ContextBuiltins.DATA, Value.exprs(), here);
    return new Value(new Expr.Member(data, Expr.Member.Access.ARROW, name, here, here));
  }

  /**
   * Returns a saved register as an unsigned machine word, printed in hexadecimal; in a kprobe and a
   * kretprobe.
   *
   * @param name as the kernel names the members of struct pt_regs, {@code rip} on x86-64
   */
  public static Value regs(String name) {
    SourceSpan here = CallSite.here();
    Expr regs = new Expr.Call(ContextBuiltins.REGS, Value.exprs(), here);
    return new Value(new Expr.Member(regs, Expr.Member.Access.ARROW, name, here, here));
  }

  /**
   * Returns the kernel's functions that are being called, the innermost first and 32 at most;
   * prints each as function and offset. There are none where a sample finds a thread in user space.
   */
  public static Value stack() {
    return builtIn(StackBuiltins.STACK);
  }

  /** Returns the {@code depth} innermost of {@link #stack}'s functions, 1 to 127. */
  public static Value stack(int depth) {
    return call(StackBuiltins.STACK, number(depth));
  }

  /** Returns the {@code depth} innermost of {@link #stack}'s functions, 1 to 127. */
  public static Value stack(StackMode mode, int depth) {
    return call(StackBuiltins.STACK, text(mode.canonicalName()), number(depth));
  }

  /**
   * Returns the process's own functions that are being called, the innermost first and 127 at most;
   * prints each as function and offset. Functions that keep no frame pointer hide their callers.
   */
  public static Value ustack() {
    return builtIn(StackBuiltins.USTACK);
  }

  /** Returns the {@code depth} innermost of {@link #ustack}'s functions, 1 to 127. */
  public static Value ustack(int depth) {
    return call(StackBuiltins.USTACK, number(depth));
  }

  /** Returns the {@code depth} innermost of {@link #ustack}'s functions, 1 to 127. */
  public static Value ustack(StackMode mode, int depth) {
    return call(StackBuiltins.USTACK, text(mode.canonicalName()), number(depth));
  }

  /**
   * Returns a constant of the kernel by name: an enumerator of its enums, on kernels with BTF, or a
   * macro of its headers.
   *
   * @param name in capitals: {@code TCP_ESTABLISHED}, {@code O_CREAT}
   * @throws IllegalArgumentException if the name has anything but capitals, digits and underscores
   */
  public static Value constant(String name) {
    if (!Expr.NamedConstant.isName(name)) {
      throw new IllegalArgumentException("not the name of a constant: " + name);
    }
    return new Value(new Expr.NamedConstant(name, CallSite.here()));
  }

  /** Returns the thread's name, at most 15 bytes. */
  public static Value comm() {
    return builtIn(ThreadBuiltins.COMM);
  }

  /** Returns the process id. */
  public static Value pid() {
    return builtIn(ThreadBuiltins.PID);
  }

  /** Returns the thread id. */
  public static Value tid() {
    return builtIn(ThreadBuiltins.KPID);
  }

  /** Returns the user id. */
  public static Value uid() {
    return builtIn(ThreadBuiltins.UID);
  }

  /** Returns the group id. */
  public static Value gid() {
    return builtIn(ThreadBuiltins.GID);
  }

  /** Returns the number of the running CPU. */
  public static Value cpu() {
    return builtIn(ThreadBuiltins.CPU);
  }

  /** Returns the nanoseconds since boot, without time asleep; prints as a duration. */
  public static Value time() {
    return builtIn(ClockBuiltins.TIME);
  }

  /** Returns the nanoseconds since boot, without time asleep; prints as the time of day. */
  public static Value walltime() {
    return builtIn(ClockBuiltins.WALLTIME);
  }

  /** Returns the probe's context, an address; prints in hexadecimal. */
  public static Value ctx() {
    return builtIn(ContextBuiltins.CTX);
  }

  /**
   * Returns the place where the probe fired, of all that it is attached to; prints as scripts
   * define it.
   */
  public static Value probe() {
    return builtIn(ContextBuiltins.PROBE);
  }

  /** Returns the nanoseconds since boot, with time asleep; a plain number. Needs kernel 5.8. */
  public static Value nsecs() {
    return builtIn(ClockBuiltins.NSECS);
  }

  /** Returns the string at an address, at most 127 bytes of it. */
  public static Value str(Value address) {
    return call(MemoryBuiltins.STR, address);
  }

  /**
   * Returns the string at an address; {@code size} is what it may take with its NUL, 1 to 512
   * bytes.
   */
  public static Value str(Value address, int size) {
    return call(MemoryBuiltins.STR, address, number(size));
  }

  /** Returns the 128 bytes at an address, zeroes where they cannot be read. */
  public static Value mem(Value address) {
    return call(MemoryBuiltins.MEM, address);
  }

  /** Returns {@code size} bytes at an address, 1 to 512, zeroes where they cannot be read. */
  public static Value mem(Value address, int size) {
    return call(MemoryBuiltins.MEM, address, number(size));
  }

  /**
   * Returns what a {@code __data_loc} field of the tracepoint's record stands for, at most 128
   * bytes of it; in a tracepoint.
   */
  public static Value dyn(Value field) {
    return call(MemoryBuiltins.DYN, field);
  }

  /**
   * Returns what a {@code __data_loc} field of the tracepoint's record stands for, at most {@code
   * size} bytes of it, 1 to 512; in a tracepoint.
   */
  public static Value dyn(Value field, int size) {
    return call(MemoryBuiltins.DYN, field, number(size));
  }

  /** Returns the address, marked as one of user space. */
  public static Value userAddress(Value address) {
    return call(MemoryBuiltins.UPTR, address);
  }

  /** Returns the address, marked as one of the kernel. */
  public static Value kernelAddress(Value address) {
    return call(MemoryBuiltins.KPTR, address);
  }

  /**
   * Returns the address of what the kernel has under a name, a function or a variable: the only one
   * of that name.
   */
  public static Value kaddr(String name) {
    return call(SymbolBuiltins.KADDR, text(name));
  }

  /** Returns an address of the kernel, which prints as function and offset. */
  public static Value ksym(Value address) {
    return call(SymbolBuiltins.KSYM, address);
  }

  /** Returns -1, 0 or 1 if the first string sorts before, equal to or after the second. */
  public static Value strcmp(Value first, Value second) {
    return call(StringBuiltins.STRCMP, first, second);
  }

  /** Returns -1, 0 or 1 if a string sorts before, equal to or after a constant. */
  public static Value strcmp(Value first, String second) {
    return strcmp(first, text(second));
  }

  /** Returns 0 if the first {@code length} bytes of two texts are equal, else 1. */
  public static Value strncmp(Value first, Value second, int length) {
    return call(StringBuiltins.STRNCMP, first, second, number(length));
  }

  /** Returns a constant. */
  public static Value number(long value) {
    return new Value(Expr.number(value, CallSite.here()));
  }

  /** Returns a constant text. */
  public static Value text(String value) {
    return new Value(new Expr.StringLiteral(value, CallSite.here()));
  }

  /**
   * Returns a variable that probes share: one value for each combination of keys, zero until it is
   * set.
   *
   * @param name letters, digits and underscores, behind an {@code @} for one that aggregates;
   *     variables of one name in a trace are one
   */
  public static Variable variable(String name, Value... keys) {
    SourceSpan here = CallSite.here();
    return new Variable(new MapRef(name, Value.exprs(keys), here), here);
  }

  private static Value builtIn(Builtin intrinsic) {
    return call(intrinsic);
  }

  private static Value call(Builtin function, Value... arguments) {
    return new Value(new Expr.Call(function, Value.exprs(arguments), CallSite.here()));
  }

  /**
   * Returns a scratch variable of a probe, to be set with {@link Actions#let} or {@link
   * Actions#set(Scratch, Value)} before it is read.
   *
   * @param name without {@code $}
   */
  public static Scratch scratch(String name) {
    return new Scratch("$" + name, CallSite.here());
  }

  /** Returns the bytes that values of a type take, as {@code uint32} or {@code struct sock}. */
  public static Value sizeOf(String type) {
    SourceSpan here = CallSite.here();
    return new Value(new Expr.SizeOfType(Value.typeName(type), here));
  }

  /** Returns the bytes that a value takes. */
  public static Value sizeOf(Value value) {
    return new Value(new Expr.SizeOf(value.expr(), CallSite.here()));
  }
}
