package dev.ply.bpf.codegen;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.plan.PlannedProgram;
import dev.ply.bpf.plan.ProgramContext;
import dev.ply.ir.Expr;
import dev.ply.machine.Architecture;
import dev.ply.target.Target;

/**
 * The layout of a program's context: where arguments, results, registers and records are. Each
 * mechanism has its own, known only here.
 */
interface ContextLayout {
  /** The program that a layout generates code for. */
  record Frame(CodeBuilder code, Memory memory, Register context, Target target) {
    Architecture architecture() {
      return target.architecture();
    }
  }

  /** Returns the layout of a program's context. */
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
      return new FunctionLayout(frame, context.function().signature(), context.ends());
    }

    @Override
    public ContextLayout visit(ProgramContext.SyscallFunction context) {
      return new SystemCallFunctionLayout(frame, context.end(), context.number());
    }

    @Override
    public ContextLayout visit(ProgramContext.AllSyscalls context) {
      return new AllSystemCallsLayout(frame, context, asksThread);
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
  default ScalarCode scalar(
      AnalyzedClause clause, Expr.Member member, ExpressionCompiler expressions) {
    return expressions.load(expressions.typeOf(member), place(clause, member));
  }

  /** Returns the location of a member of the record or registers. */
  Place place(AnalyzedClause clause, Expr.Member member);

  /** Writes the whole record, or all registers. */
  void write(AnalyzedClause clause, Place to, int size);
}
