package dev.ply.bpf.codegen.context;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.bpf.codegen.clause.ContextLayout;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.ir.Expr;
import dev.ply.type.Type;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.StructType;

/** The saved registers, struct pt_regs. */
final class RegistersLayout implements ContextLayout {
  private final Frame frame;

  RegistersLayout(Frame frame) {
    this.frame = frame;
  }

  @Override
  public ScalarCode argument(int index) {
    return word(frame.architecture().argumentOffset(index).orElseThrow());
  }

  @Override
  public ScalarCode returnValue() {
    return word(frame.architecture().returnValueOffset());
  }

  @Override
  public ScalarCode programCounter() {
    return word(frame.architecture().programCounterOffset());
  }

  private ScalarCode word(int offset) {
    Register value = frame.code().fresh();
    Size size = Size.ofBytes(frame.architecture().wordSize());
    frame.code().load(size, value, new Place(frame.context(), offset));
    return new ScalarCode.InRegister(value);
  }

  @Override
  public Place place(AnalyzedClause clause, Expr.Member member) {
    return new Place(frame.context(), offset(clause, member));
  }

  /** Returns the offset of a member in its structure. */
  static int offset(AnalyzedClause clause, Expr.Member member) {
    Type base = clause.typeOf(member.base());
    StructType struct = (StructType) (base instanceof PointerType p ? p.target() : base);
    return struct.field(member.name()).orElseThrow().offset();
  }

  @Override
  public void write(AnalyzedClause clause, Place to, int size) {
    frame.code().copy(new Place(frame.context(), 0), to, size);
  }
}
