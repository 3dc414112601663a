package dev.ply.bpf.codegen.context;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.bpf.codegen.clause.ContextLayout;
import dev.ply.bpf.codegen.clause.Expressions;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.ir.Expr;
import dev.ply.probe.AttachPoint;
import dev.ply.target.KernelTypes;
import java.util.List;

/** The context of a raw tracepoint: the arguments of the kernel's trace call, 8 bytes each. */
final class RawTracepointLayout implements ContextLayout {
  private final Frame frame;

  RawTracepointLayout(Frame frame) {
    this.frame = frame;
  }

  @Override
  public ScalarCode argument(int index) {
    Register value = frame.code().fresh();
    frame.code().load(Size.DW, value, new Place(frame.context(), index * Long.BYTES));
    return new ScalarCode.InRegister(value);
  }

  @Override
  public ScalarCode returnValue() {
    throw new IllegalStateException("a raw tracepoint returns nothing");
  }

  @Override
  public ScalarCode programCounter() {
    throw new IllegalStateException("a raw tracepoint saves no program counter");
  }

  @Override
  public ScalarCode scalar(AnalyzedClause clause, Expr.Member member, Expressions expressions) {
    AttachPoint.RawTracepoint point = (AttachPoint.RawTracepoint) clause.clause().point();
    List<KernelTypes.Parameter> parameters =
        frame.target().types().rawTracepoint(point.event()).orElseThrow().parameters();
    for (int i = 0; i < parameters.size(); i++) {
      if (parameters.get(i).name().equals(member.name())) {
        return expressions.extended(argument(i), expressions.typeOf(member));
      }
    }
    throw new IllegalStateException("no argument " + member.name());
  }

  @Override
  public Place place(AnalyzedClause clause, Expr.Member member) {
    throw new IllegalStateException("an argument is in no memory");
  }

  @Override
  public void write(AnalyzedClause clause, Place to, int size) {
    CodeBuilder code = frame.code();
    code.call(
        Helper.PROBE_READ_KERNEL, code.address(to), code.value(size), code.value(frame.context()));
  }
}
