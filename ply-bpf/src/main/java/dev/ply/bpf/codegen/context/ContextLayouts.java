package dev.ply.bpf.codegen.context;

import dev.ply.bpf.codegen.clause.ContextLayout;
import dev.ply.bpf.plan.PlannedProgram;
import dev.ply.bpf.plan.ProgramContext;

/** Chooses the layout of a program's context, by the way that the program is attached. */
public final class ContextLayouts {
  private ContextLayouts() {}

  /** Returns the layout of a program's context. */
  public static ContextLayout of(PlannedProgram program, ContextLayout.Frame frame) {
    return program.context().accept(new OfContext(frame, program.asksThread()));
  }

  private record OfContext(ContextLayout.Frame frame, boolean asksThread)
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
}
