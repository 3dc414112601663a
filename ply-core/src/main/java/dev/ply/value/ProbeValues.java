package dev.ply.value;

import dev.ply.CallSite;
import dev.ply.Value;
import dev.ply.Values;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import java.util.List;

/** Values of the probe that is hit. Meant for static import, beside {@link Values}. */
public final class ProbeValues {
  private ProbeValues() {}

  /** {@return the probed address, printed as symbol and offset; in a kprobe} */
  public static Value caller() {
    return Value.call(ContextBuiltins.CALLER);
  }

  /** {@return the address of the probed function; in a kprobe, uprobe or on the return of one} */
  public static Value funcIp() {
    return Value.call(ContextBuiltins.FUNC_IP);
  }

  /**
   * {@return a saved register, unsigned, printed in hexadecimal; in a kprobe or kretprobe}
   *
   * @param name a member of struct pt_regs: {@code rip} on x86-64
   */
  public static Value regs(String name) {
    SourceSpan here = CallSite.here();
    Expr regs = new Expr.Call(ContextBuiltins.REGS, List.of(), here);
    return Value.of(new Expr.Member(regs, Expr.Member.Access.ARROW, name, here, here));
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
