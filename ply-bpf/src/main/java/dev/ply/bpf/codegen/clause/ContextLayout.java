package dev.ply.bpf.codegen.clause;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Memory;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.ir.Expr;
import dev.ply.machine.Architecture;
import dev.ply.target.Target;

/**
 * The layout of a program's context: where arguments, results, registers and records are. Each
 * mechanism has its own, known only here.
 */
public interface ContextLayout {
  /** The program that a layout generates code for. */
  record Frame(CodeBuilder code, Memory memory, Register context, Target target) {
    /** Returns the architecture whose registers the context has. */
    public Architecture architecture() {
      return target.architecture();
    }
  }

  /** Starts the program; jumps to {@code exit} for hits to be ignored. */
  default void enter(Label exit) {}

  /** Returns an argument of the probed function, counted from 0. */
  ScalarCode argument(int index);

  /** Returns the result of the probed function. */
  ScalarCode returnValue();

  /**
   * Returns the location in the context of an argument or result that points to a kernel object.
   *
   * @param origin a member of the context, an argument, or the result
   */
  default Place object(Expr origin) {
    throw new IllegalStateException("no kernel objects in this context");
  }

  /** Returns the probed address. */
  ScalarCode programCounter();

  /** Returns a member of the record or registers that fits a register. */
  default ScalarCode scalar(AnalyzedClause clause, Expr.Member member, Expressions expressions) {
    return expressions.load(expressions.typeOf(member), place(clause, member));
  }

  /** Returns the location of a member of the record or registers. */
  Place place(AnalyzedClause clause, Expr.Member member);

  /** Writes the whole record, or all registers. */
  void write(AnalyzedClause clause, Place to, int size);
}
