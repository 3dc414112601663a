package dev.ply.bpf.codegen.context;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.plan.SystemCallPlan.End;
import dev.ply.ir.Expr;

/**
 * The context of a function that implements a syscall: the address of the user registers, which
 * programs can load from, and the result at its exit.
 */
final class SystemCallFunctionLayout extends SystemCallLayout {
  private final End end;
  private final int number;

  SystemCallFunctionLayout(Frame frame, End end, int number) {
    super(frame);
    this.end = end;
    this.number = number;
  }

  /**
   * Exits for calls that the tracepoint does not show: under another number (x32, 32-bit programs
   * where it has no arguments), or from the kernel itself (vsyscall).
   */
  @Override
  public void enter(Label exit) {
    CodeBuilder code = frame.code();
    Register called = code.fresh();
    code.load(Size.W, called, register(frame.architecture().systemCallNumber().orElseThrow()));
    code.jump(Width.W32, JumpOp.JNE, called, new Immediate(number), exit);
  }

  @Override
  public Register number() {
    Register constant = frame.code().fresh();
    frame.code().constant(constant, number);
    return constant;
  }

  @Override
  public Place place(AnalyzedClause clause, Expr.Member member) {
    return end == End.EXIT ? new Place(frame.context(), Long.BYTES) : super.place(clause, member);
  }

  @Override
  Place register(String name) {
    Register registers = frame.code().fresh();
    frame.code().load(Size.DW, registers, new Place(frame.context(), 0));
    return new Place(registers, frame.architecture().registerOffset(name).orElseThrow());
  }
}
