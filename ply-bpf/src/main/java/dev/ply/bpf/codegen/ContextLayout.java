package dev.ply.bpf.codegen;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.plan.PlannedProgram;
import dev.ply.bpf.plan.ProgramContext;
import dev.ply.ir.Expr;
import dev.ply.target.Architecture;
import dev.ply.target.Target;

/**
 * What the kernel hands to a program and where in it everything is: arguments, results, registers,
 * records. Each way to attach has its own, and only this knows which.
 */
interface ContextLayout {
  /** What a layout is for. */
  record Frame(CodeBuilder code, Memory memory, Register context, Target target) {
    Architecture architecture() {
      return target.architecture();
    }
  }

  /** Returns the layout of what a program is handed. */
  static ContextLayout of(PlannedProgram program, Frame frame) {
    return program.context().accept(new OfContext(frame, program.asksThread()));
  }

  /** Chooses the layout of a context. */
  record OfContext(Frame frame, boolean asksThread)
      implements ProgramContext.Visitor<ContextLayout> {
    @Override
    public ContextLayout visit(ProgramContext.Registers context) {
      return new RegistersLayout(frame);
    }

    @Override
    public ContextLayout visit(ProgramContext.TracepointRecord context) {
      return new RecordLayout(frame);
    }

    @Override
    public ContextLayout visit(ProgramContext.RawArguments context) {
      return new RawTracepointLayout(frame);
    }

    @Override
    public ContextLayout visit(ProgramContext.FunctionArguments context) {
      return new FunctionLayout(frame, context.function().signature());
    }

    @Override
    public ContextLayout visit(ProgramContext.SyscallFunction context) {
      return new SystemCallFunctionLayout(frame, context.number());
    }

    @Override
    public ContextLayout visit(ProgramContext.AllSyscalls context) {
      return new AllSystemCallsLayout(frame, context, asksThread);
    }
  }

  /** Begins the program; leaves for {@code exit} if what happened is none of its concern. */
  default void enter(Label exit) {}

  /** Returns an argument of the probed function, counted from 0. */
  ScalarCode argument(int index);

  /** Returns what the probed function returns. */
  ScalarCode returnValue();

  /** Returns the probed address. */
  ScalarCode programCounter();

  /** Returns a member of the record or the registers that fits a register. */
  default ScalarCode scalar(
      AnalyzedClause clause, Expr.Member member, ExpressionCompiler expressions) {
    return expressions.load(expressions.typeOf(member), place(clause, member));
  }

  /** Returns where a member of the record or the registers lies. */
  Place place(AnalyzedClause clause, Expr.Member member);

  /** Writes the whole record, or all registers. */
  void write(AnalyzedClause clause, Place to, int size);
}
