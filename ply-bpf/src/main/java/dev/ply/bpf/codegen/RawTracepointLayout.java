package dev.ply.bpf.codegen;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.ir.Expr;

/** What the kernel hands over at a raw tracepoint: the arguments of its own call, a word each. */
final class RawTracepointLayout implements ContextLayout {
  private final Frame frame;

  RawTracepointLayout(Frame frame) {
    this.frame = frame;
  }

  @Override
  public Scalar argument(int index) {
    Register value = frame.code().fresh();
    frame.code().load(Size.DW, value, new Place(frame.context(), index * Long.BYTES));
    return new Scalar.InRegister(value);
  }

  @Override
  public Scalar returnValue() {
    throw new IllegalStateException("a raw tracepoint returns nothing");
  }

  @Override
  public Scalar programCounter() {
    throw new IllegalStateException("a raw tracepoint saves no program counter");
  }

  @Override
  public Place place(AnalyzedClause clause, Expr.Member member) {
    throw new IllegalStateException("a raw tracepoint has no record");
  }

  @Override
  public void write(AnalyzedClause clause, Place to, int size) {
    throw new IllegalStateException("a raw tracepoint has no record");
  }
}
