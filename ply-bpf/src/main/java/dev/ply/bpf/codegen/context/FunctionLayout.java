package dev.ply.bpf.codegen.context;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.bpf.codegen.clause.ContextLayout;
import dev.ply.bpf.codegen.clause.Expressions;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Memory;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.ir.Expr;
import dev.ply.target.KernelTypes;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.KernelStruct;
import dev.ply.type.Type.PointerType;
import java.util.List;

/** The context of a trampoline: a function's arguments, 8 bytes each, and its result. */
final class FunctionLayout implements ContextLayout {
  private final Frame frame;
  private final KernelTypes.Function function;
  private final boolean ends;

  /**
   * The layout of a function's arguments.
   *
   * @param ends whether the program runs once more, without an object, after an iterator's last
   */
  FunctionLayout(Frame frame, KernelTypes.Function function, boolean ends) {
    this.frame = frame;
    this.function = function;
    this.ends = ends;
  }

  /** Ignores the run after an iterator's last object, which follows its description. */
  @Override
  public void enter(Label exit) {
    if (ends && function.parameters().size() > 1) {
      ScalarCode.InRegister object = (ScalarCode.InRegister) argument(1);
      frame.code().jumpIfNull(object.register(), exit);
    }
  }

  @Override
  public ScalarCode argument(int index) {
    return word(index, function.parameters().get(index).type());
  }

  @Override
  public Place object(Expr origin) {
    int index =
        origin instanceof Expr.Member member
            ? index(member.name())
            : origin instanceof Expr.Argument argument
                ? argument.index()
                : function.parameters().size();
    return new Place(frame.context(), index * Long.BYTES);
  }

  @Override
  public ScalarCode returnValue() {
    return word(function.parameters().size(), function.result());
  }

  /** Returns an argument as a number: the verifier forbids arithmetic on pointers. */
  private ScalarCode word(int index, Type type) {
    Place from = new Place(frame.context(), index * Long.BYTES);
    CodeBuilder code = frame.code();
    Register value = code.fresh();
    if (type instanceof IntType
        || (type instanceof PointerType pointer && pointer.target() instanceof IntType)) {
      code.load(Size.DW, value, from);
    } else if (type instanceof PointerType pointer && pointer.target() instanceof KernelStruct) {
      code.load(Size.DW, value, from);
      // To the verifier a negated pointer is a number, and negating it again restores the address.
      code.emit(new Instruction.Negate(Width.W64, value));
      code.emit(new Instruction.Negate(Width.W64, value));
    } else {
      // The verifier forbids loads from pointers to pointers and to functions.
      Memory.Scope scope = frame.memory().open();
      Place copy = frame.memory().allocate(Long.BYTES);
      code.call(
          Helper.PROBE_READ_KERNEL, code.address(copy), code.value(Long.BYTES), code.address(from));
      code.load(Size.DW, value, copy);
      frame.memory().close(scope);
    }
    return new ScalarCode.InRegister(value);
  }

  @Override
  public ScalarCode programCounter() {
    throw new IllegalStateException("a trampoline saves no program counter");
  }

  @Override
  public ScalarCode scalar(AnalyzedClause clause, Expr.Member member, Expressions expressions) {
    return expressions.extended(argument(index(member.name())), expressions.typeOf(member));
  }

  private int index(String parameter) {
    List<KernelTypes.Parameter> parameters = function.parameters();
    for (int i = 0; i < parameters.size(); i++) {
      if (parameters.get(i).name().equals(parameter)) {
        return i;
      }
    }
    throw new IllegalStateException("no argument " + parameter);
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
