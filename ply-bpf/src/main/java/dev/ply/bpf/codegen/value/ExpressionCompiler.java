package dev.ply.bpf.codegen.value;

import dev.ply.analysis.struct.NamedType;
import dev.ply.analysis.typing.LocalVariable;
import dev.ply.bpf.codegen.clause.BuiltinCode;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.clause.Expressions;
import dev.ply.bpf.codegen.emit.ArithmeticCode;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.codegen.emit.ScalarCode.Constant;
import dev.ply.bpf.codegen.emit.ScalarCode.InRegister;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.builtin.Builtin;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.TypeArray;
import dev.ply.ir.TypeName;
import dev.ply.ir.TypeOf;
import dev.ply.ir.TypeReference;
import dev.ply.probe.AttachPoint;
import dev.ply.type.AddressSpace;
import dev.ply.type.Conversions;
import dev.ply.type.Signedness;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;
import java.util.Optional;

/** Compiles expressions that fit a register: numbers and addresses. */
public final class ExpressionCompiler implements Expressions, Expr.Visitor<ScalarCode> {
  private final ClauseCode clause;
  private final CodeBuilder code;
  private final ArithmeticCode arithmetic;
  private final ConditionCompiler conditions;

  /** Generates expressions of a clause. */
  public ExpressionCompiler(ClauseCode clause) {
    this.clause = clause;
    this.code = clause.code();
    this.arithmetic = clause.arithmetic();
    this.conditions = new ConditionCompiler(clause);
  }

  @Override
  public ScalarCode scalar(Expr expr) {
    return code.valueWithin(expr.span(), () -> expr.accept(this));
  }

  @Override
  public ScalarCode scalar(Expr expr, IntType type) {
    return arithmetic.convert(scalar(expr), typeOf(expr), type);
  }

  @Override
  public void evaluate(Expr expr) {
    if (expr instanceof Expr.Step step && step.target() instanceof Expr.MapRead read) {
      new EntryUpdate(clause).step(step, read.map());
    } else if (clause.clause().typeOf(expr).isScalar()) {
      scalar(expr);
    }
  }

  @Override
  public IntType typeOf(Expr expr) {
    Type type = clause.clause().typeOf(expr);
    return Conversions.asInteger(type)
        .orElseThrow(() -> new IllegalArgumentException("no number: " + type.name()));
  }

  @Override
  public void jumpIf(Expr condition, boolean sense, Label target) {
    conditions.jumpIf(condition, sense, target);
  }

  @Override
  public ScalarCode truth(Expr condition) {
    return conditions.truth(condition);
  }

  @Override
  public ScalarCode visit(Expr.IntLiteral node) {
    return new Constant(node.value());
  }

  @Override
  public ScalarCode visit(Expr.Unknown node) {
    throw new IllegalArgumentException("unparsed expression reached code generation");
  }

  @Override
  public ScalarCode visit(Expr.StringLiteral node) {
    throw new IllegalArgumentException("a text is no scalar");
  }

  @Override
  public ScalarCode visit(Expr.Tuple node) {
    throw new IllegalArgumentException("a tuple is no scalar");
  }

  @Override
  public ScalarCode visit(Expr.Argument node) {
    if (clause.clause().clause().point() instanceof AttachPoint.Usdt usdt) {
      return new UsdtCompiler(clause).argument(usdt.place(), node.index());
    }
    return clause.layout().argument(node.index());
  }

  @Override
  public ScalarCode visit(Expr.MapRead node) {
    return clause.maps().read(node.map());
  }

  @Override
  public ScalarCode visit(Expr.Member node) {
    if (clause.aggregates().isPart(node)) {
      return clause.aggregates().scalar(node);
    }
    KernelMemoryCompiler kernel = new KernelMemoryCompiler(clause);
    return kernel.isPlace(node)
        ? kernel.scalar(node)
        : clause.layout().scalar(clause.clause(), node, this);
  }

  @Override
  public ScalarCode visit(Expr.NamedConstant node) {
    return new Constant(clause.script().target().constant(node.name()).orElseThrow());
  }

  @Override
  public ScalarCode visit(Expr.Element node) {
    if (clause.aggregates().isPart(node)) {
      return clause.aggregates().scalar(node);
    }
    KernelMemoryCompiler kernel = new KernelMemoryCompiler(clause);
    return kernel.isPlace(node)
        ? kernel.scalar(node)
        : load(typeOf(node), clause.records().field(node));
  }

  @Override
  public ScalarCode load(IntType type, Place from) {
    Register value = code.fresh();
    code.load(Size.ofBytes(type.bytes()), value, from);
    return type.isSigned() ? extended(new InRegister(value), type) : new InRegister(value);
  }

  @Override
  public ScalarCode extended(ScalarCode scalar, IntType type) {
    if (scalar instanceof InRegister register && type.bytes() < 4) {
      int unused = 32 - type.bytes() * 8;
      code.alu(Width.W32, AluOp.LSH, register.register(), unused);
      AluOp down = type.isSigned() ? AluOp.ARSH : AluOp.RSH;
      code.alu(Width.W32, down, register.register(), unused);
    }
    return scalar;
  }

  @Override
  public ScalarCode visit(Expr.Unary node) {
    return switch (node.op()) {
      case NOT -> truth(node);
      case NEGATE -> {
        IntType type = typeOf(node);
        yield extended(arithmetic.negate(scalar(node.operand(), type), type), type);
      }
      case COMPLEMENT -> {
        IntType type = typeOf(node);
        yield extended(arithmetic.complement(scalar(node.operand(), type), type), type);
      }
      case DEREFERENCE -> new KernelMemoryCompiler(clause).scalar(node);
      case ADDRESS_OF ->
          node.operand() instanceof Expr.VariableRead read
              ? clause.variables().address(clause.variables().named(read))
              : new InRegister(new KernelMemoryCompiler(clause).address(node.operand()));
    };
  }

  @Override
  public ScalarCode visit(Expr.Binary node) {
    return switch (node.op().kind()) {
      case LOGICAL -> node.op() == BinaryOp.LOGICAL_XOR ? exclusiveOr(node) : truth(node);
      case COMPARISON -> truth(node);
      case ARITHMETIC, SHIFT -> {
        IntType type = typeOf(node);
        Operands operands = Operands.of(clause, node, type);
        ScalarCode left = bytes(node, node.left(), operands.left());
        yield arithmetic.binary(node.op(), left, bytes(node, node.right(), operands.right()), type);
      }
    };
  }

  /** Returns the number of bytes that a pointer moves by; other operands are unchanged. */
  private ScalarCode bytes(Expr.Binary node, Expr operand, ScalarCode value) {
    return clause.clause().typeOf(node) instanceof PointerType pointer
            && !(clause.clause().typeOf(operand) instanceof PointerType)
        ? arithmetic.binary(BinaryOp.MUL, value, new Constant(pointer.target().size()), IntType.U64)
        : value;
  }

  private ScalarCode exclusiveOr(Expr.Binary node) {
    Register left = arithmetic.register(truth(node.left()));
    Register right = arithmetic.register(truth(node.right()));
    code.alu(Width.W64, AluOp.XOR, left, right);
    return new InRegister(left);
  }

  @Override
  public ScalarCode visit(Expr.VariableRead node) {
    return clause.variables().read(clause.variables().named(node));
  }

  @Override
  public ScalarCode visit(Expr.Conditional node) {
    IntType type = typeOf(node);
    Register result = code.fresh();
    Label otherwise = code.label("else");
    Label end = code.label("chosen");
    if (node.then().isPresent()) {
      jumpIf(node.condition(), false, otherwise);
      choose(result, scalar(node.then().get(), type));
    } else {
      ScalarCode value = scalar(node.condition());
      conditions.jumpIfTrue(value, typeOf(node.condition()), false, otherwise);
      choose(result, arithmetic.convert(value, typeOf(node.condition()), type));
    }
    code.jump(end);
    code.place(otherwise);
    choose(result, scalar(node.otherwise(), type));
    code.place(end);
    return new InRegister(result);
  }

  private void choose(Register result, ScalarCode value) {
    if (value instanceof Constant constant) {
      code.constant(result, constant.value());
    } else {
      code.move(result, ((InRegister) value).register());
    }
  }

  @Override
  public ScalarCode visit(Expr.Cast node) {
    IntType type = typeOf(node);
    if (type.isTruth() && clause.clause().typeOf(node.operand()).isScalar()) {
      return conditions.truth(scalar(node.operand()), typeOf(node.operand()));
    }
    Type operand = clause.clause().typeOf(node.operand());
    if (operand instanceof Type.ArrayType
        && clause.clause().typeOf(node) instanceof Type.PointerType) {
      KernelMemoryCompiler kernel = new KernelMemoryCompiler(clause);
      return kernel.isPlace(node.operand())
          ? new InRegister(kernel.address(node.operand()))
          : kernel.number(clause.records().field(node.operand()));
    }
    if (operand.isText()) {
      // A string is true unless it is empty.
      Place text = clause.memory().allocate(operand.size());
      clause.maps().write(node.operand(), text, operand);
      return conditions.truth(load(IntType.U8, text), IntType.U8);
    }
    ScalarCode value =
        operand instanceof Type.ArrayType
            ? arithmetic.convert(
                bytes(node.operand()), IntType.of(operand.size(), Signedness.UNSIGNED), type)
            : arithmetic.convert(number(node.operand(), operand), typeOf(node.operand()), type);
    return value instanceof InRegister && type.bytes() < 4
        ? extended(new InRegister(arithmetic.copy(value)), type)
        : value;
  }

  /** Returns the bytes of an array as a number, those of a number without a detour. */
  private ScalarCode bytes(Expr array) {
    if (array instanceof Expr.Cast cast && clause.clause().typeOf(cast.operand()).isScalar()) {
      int size = clause.clause().typeOf(array).size();
      return arithmetic.convert(
          scalar(cast.operand()), typeOf(cast.operand()), IntType.of(size, Signedness.UNSIGNED));
    }
    return clause.texts().number(array);
  }

  /** Verifiers restrict what a program computes with its context's address. */
  private ScalarCode number(Expr operand, Type type) {
    return type instanceof PointerType pointer && pointer.space() == AddressSpace.CONTEXT
        ? new KernelMemoryCompiler(clause).number(new Place(clause.context(), 0))
        : scalar(operand);
  }

  @Override
  public ScalarCode visit(Expr.SizeOfType node) {
    Optional<Type> constant =
        node.type() instanceof TypeName name
            ? new NamedType(clause.script().target()).constant(name)
            : Optional.empty();
    return size(constant.orElseGet(() -> type(node.type())));
  }

  @Override
  public ScalarCode visit(Expr.OffsetOf node) {
    NamedType types = new NamedType(clause.script().target());
    return new Constant(types.offset(type(node.type()), node.path()).orElseThrow());
  }

  private Type type(TypeReference reference) {
    if (reference instanceof TypeArray array) {
      return NamedType.pointer(
          new Type.ArrayType(type(array.element()), array.length().orElse(0)), array.pointers());
    }
    return reference instanceof TypeOf typeOf
        ? NamedType.pointer(clause.clause().typeOf(typeOf.operand()), typeOf.pointers())
        : new NamedType(clause.script().target()).find((TypeName) reference).orElseThrow();
  }

  @Override
  public ScalarCode visit(Expr.Block node) {
    return clause.compileValue(node, this::scalar);
  }

  @Override
  public ScalarCode visit(Expr.SizeOf node) {
    return size(clause.clause().typeOf(node.operand()));
  }

  private Constant size(Type measured) {
    return new Constant(clause.script().configuration().dialect().sizeOf(measured));
  }

  @Override
  public ScalarCode visit(Expr.Step node) {
    if (node.target() instanceof Expr.MapRead read) {
      return new EntryUpdate(clause).step(read.map(), node.op());
    }
    LocalVariable variable = clause.variables().named((Expr.VariableRead) node.target());
    ScalarCode old = clause.variables().read(variable);
    int size = variable.type() instanceof PointerType pointer ? pointer.target().size() : 1;
    clause.variables().add(variable, node.op().amount() * size);
    return node.op().isPrefix() ? clause.variables().read(variable) : old;
  }

  @Override
  public ScalarCode visit(Expr.Call node) {
    if (clause.builtins().of(Builtin.of(node)) instanceof BuiltinCode.Scalar scalar) {
      return scalar.compile(clause, node);
    }
    throw new IllegalArgumentException(node.function() + " is no scalar");
  }

  @Override
  public ScalarCode word(int offset) {
    int bytes = clause.script().target().architecture().wordSize();
    Register value = code.fresh();
    code.load(Size.ofBytes(bytes), value, new Place(clause.context(), offset));
    return new InRegister(value);
  }
}
