package dev.ply.bpf.codegen.value;

import dev.ply.bpf.codegen.clause.Aggregates;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.FailureCause;
import dev.ply.ir.Expr;
import dev.ply.target.KernelTypes.Member;
import dev.ply.type.Conversions;
import dev.ply.type.StructField;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.KernelStruct;
import dev.ply.type.Type.TupleType;

/**
 * Compiles values of several parts: tuples, arrays and structures. They are in memory; tuples are
 * laid out as map keys are, with zeroed padding.
 */
public final class AggregateCompiler implements Aggregates {
  private final ClauseCode clause;
  private final CodeBuilder code;

  /** Generates arrays, tuples and structures of a clause. */
  public AggregateCompiler(ClauseCode clause) {
    this.clause = clause;
    this.code = clause.code();
  }

  @Override
  public boolean isPart(Expr expr) {
    return expr instanceof Expr.Member member
        ? isHeld(member.base())
        : expr instanceof Expr.Element element && isHeld(element.base());
  }

  /** Returns whether the program holds a value, instead of reading its parts where they are. */
  private boolean isHeld(Expr expr) {
    Type type = typeOf(expr);
    if (!(type instanceof TupleType || type instanceof ArrayType || type instanceof KernelStruct)) {
      return false;
    }
    return (expr instanceof Expr.Member || expr instanceof Expr.Element)
        ? isPart(expr)
        : !(expr instanceof Expr.Unary) || type instanceof TupleType;
  }

  private Type typeOf(Expr expr) {
    return clause.clause().typeOf(expr);
  }

  @Override
  public void write(Expr expr, Place to, Type type) {
    if (expr instanceof Expr.Tuple tuple) {
      TupleType layout = (TupleType) type;
      for (int i = 0; i < tuple.elements().size(); i++) {
        int place = layout.indexOf(i, tuple.names());
        StructField field = layout.layout().fields().get(place);
        int end = endOf(layout, place - 1);
        code.zero(to.plus(end), field.offset() - end);
        clause.maps().write(tuple.elements().get(i), to.plus(field.offset()), field.type());
      }
      int end = endOf(layout, tuple.elements().size() - 1);
      code.zero(to.plus(end), type.size() - end);
    } else if (expr instanceof Expr.Conditional choice && choice.then().isPresent()) {
      Label otherwise = code.label("else");
      Label end = code.label("chosen");
      clause.expressions().jumpIf(choice.condition(), false, otherwise);
      write(choice.then().get(), to, type);
      code.jump(end);
      code.place(otherwise);
      write(choice.otherwise(), to, type);
      code.place(end);
    } else if (expr instanceof Expr.Block block) {
      boolean unused =
          clause.compileValue(
              block,
              value -> {
                write(value, to, type);
                return true;
              });
    } else if (expr instanceof Expr.Cast cast) {
      cast(cast.operand(), to, type.size());
    } else if (expr instanceof Expr.MapRead read && typeOf(expr).equals(type)) {
      code.within(read.span(), () -> clause.maps().read(read.map(), to, type.size()));
    } else if (isHeld(expr)
        && !(expr instanceof Expr.Call)
        && !(expr instanceof Expr.Unary && typeOf(expr).equals(type))) {
      copy(at(expr), typeOf(expr), to, type);
    } else {
      clause.texts().write(expr, to, type.size());
    }
  }

  /** Writes a number, a string or an array as the array of its bytes. */
  private void cast(Expr operand, Place to, int size) {
    Type own = typeOf(operand);
    if (own.isScalar()) {
      IntType number = IntType.of(size, clause.expressions().typeOf(operand).signedness());
      ScalarCode value = clause.expressions().scalar(operand, number);
      code.store(Size.ofBytes(size), to, clause.arithmetic().operand(value, number));
      return;
    }
    Place bytes = at(operand);
    int copied = Math.min(own.size(), size);
    code.copy(bytes, to, copied);
    code.zero(to.plus(copied), size - copied);
  }

  /** Returns the offset of the end of an element, 0 for an index of -1. */
  private static int endOf(TupleType type, int index) {
    if (index < 0) {
      return 0;
    }
    StructField field = type.layout().fields().get(index);
    return field.offset() + field.type().size();
  }

  private void copy(Place from, Type own, Place to, Type type) {
    if (own.equals(type)) {
      code.copy(from, to, type.size());
    } else if (own instanceof TupleType narrow && type instanceof TupleType wide) {
      int end = 0;
      for (int i = 0; i < wide.layout().fields().size(); i++) {
        StructField target = wide.layout().fields().get(i);
        StructField source = narrow.layout().fields().get(narrow.indexOf(i, wide.names()));
        code.zero(to.plus(end), target.offset() - end);
        copy(from.plus(source.offset()), source.type(), to.plus(target.offset()), target.type());
        end = target.offset() + target.type().size();
      }
      code.zero(to.plus(end), wide.size() - end);
    } else if (own.isScalar() && type.isScalar()) {
      code.store(Size.ofBytes(type.size()), to, number(from, own, type));
    } else {
      code.copy(from, to, own.size());
      // In a longer string, the mark of one that was cut would be part of it.
      boolean drops = own instanceof ArrayType array && array.marksCut();
      int kept = drops && own.size() < type.size() ? own.size() - 1 : own.size();
      code.zero(to.plus(kept), type.size() - kept);
    }
  }

  /** Returns whether equal numbers of two types are the same bytes. */
  private static boolean haveSameBits(Type left, Type right) {
    return left.equals(right) || (left.size() == Long.BYTES && right.size() == Long.BYTES);
  }

  /** Loads a number, converted to another type of numbers. */
  private Operand number(Place from, Type own, Type type) {
    IntType narrow = Conversions.asInteger(own).orElseThrow();
    IntType wide = Conversions.asInteger(type).orElseThrow();
    ScalarCode value = clause.expressions().load(narrow, from);
    return clause.arithmetic().operand(clause.arithmetic().convert(value, narrow, wide), wide);
  }

  /** Returns the location of a value, or writes it to new memory. */
  private Place at(Expr expr) {
    if (expr instanceof Expr.VariableRead read) {
      return clause.variables().place(clause.variables().named(read));
    }
    if (isPart(expr)) {
      return part(expr);
    }
    Place place = clause.memory().allocate(typeOf(expr).size());
    clause.maps().write(expr, place, typeOf(expr));
    return place;
  }

  @Override
  public Place part(Expr expr) {
    if (expr instanceof Expr.Member node) {
      return at(node.base()).plus(offset(node));
    }
    Expr.Element node = (Expr.Element) expr;
    ScalarCode index = clause.expressions().scalar(node.index(), IntType.U64);
    if (!(index instanceof ScalarCode.Constant constant)) {
      return element(node, clause.arithmetic().copy(index));
    }
    int number = Math.toIntExact(constant.value());
    return typeOf(node.base()) instanceof TupleType tuple
        ? at(node.base()).plus(tuple.layout().fields().get(number).offset())
        : at(node.base()).plus(number * typeOf(node).size());
  }

  /**
   * Returns the location of an element whose index is known when the probe fires; of zeroes, after
   * the array, if there is no such element.
   */
  private Place element(Expr.Element node, Register index) {
    ArrayType array = (ArrayType) typeOf(node.base());
    int size = array.element().size();
    Place copy = clause.memory().allocateInScratch(array.size() + size);
    code.copy(at(node.base()), copy, array.size());
    code.zero(copy.plus(array.size()), size);
    Label within = code.label("within");
    code.jump(Width.W64, JumpOp.JLT, index, new Immediate(array.length()), within);
    code.computations()
        .ifPresent(errors -> errors.report(FailureCause.Operation.ELEMENT, new Immediate(0)));
    code.constant(index, array.length());
    code.place(within);
    code.alu(Width.W64, AluOp.MUL, index, size);
    Register address = code.fresh();
    code.move(address, copy.base());
    code.alu(Width.W64, AluOp.ADD, address, index);
    int alignment = size == 0 ? 1 : Math.min(8, Integer.lowestOneBit(size));
    return new Place(address, copy.offset(), alignment);
  }

  private int offset(Expr.Member node) {
    return typeOf(node.base()) instanceof TupleType tuple
        ? tuple.element(node.name()).orElseThrow().offset()
        : member(node).offset();
  }

  private Member member(Expr.Member node) {
    return clause
        .script()
        .target()
        .types()
        .member((KernelStruct) typeOf(node.base()), node.name())
        .orElseThrow();
  }

  @Override
  public ScalarCode scalar(Expr expr) {
    IntType type = clause.expressions().typeOf(expr);
    Place place = part(expr);
    return expr instanceof Expr.Member node
            && typeOf(node.base()) instanceof KernelStruct
            && member(node).isBitField()
        ? new KernelMemoryCompiler(clause).bits(place, member(node), type)
        : clause.expressions().load(type, place);
  }

  @Override
  public void jumpIfEqual(Expr left, Expr right, boolean sense, Label target) {
    Label differ = sense ? code.label("differ") : target;
    Place a = at(left);
    jumpIfDifferent(a, typeOf(left), at(right), typeOf(right), differ);
    if (sense) {
      code.jump(target);
      code.place(differ);
    }
  }

  private void jumpIfDifferent(Place a, Type left, Place b, Type right, Label differ) {
    if (left instanceof TupleType one && right instanceof TupleType two) {
      for (int i = 0; i < one.layout().fields().size(); i++) {
        StructField x = one.layout().fields().get(i);
        StructField y = two.layout().fields().get(two.indexOf(i, one.names()));
        jumpIfDifferent(a.plus(x.offset()), x.type(), b.plus(y.offset()), y.type(), differ);
      }
    } else if (left.isText()) {
      clause.texts().jumpIfDifferent(a, (ArrayType) left, b, (ArrayType) right, differ);
    } else if (left.isScalar() && right.isScalar() && !haveSameBits(left, right)) {
      Register one = code.fresh();
      code.move(one, number(a, left, IntType.S64));
      code.jump(Width.W64, JumpOp.JNE, one, number(b, right, IntType.S64), differ);
    } else {
      int done = 0;
      while (done < left.size()) {
        Place first = a.plus(done);
        Place second = b.plus(done);
        int alignment = Math.min(first.alignment(), second.alignment());
        int chunk = CodeBuilder.chunk(alignment, left.size() - done);
        Register one = code.fresh();
        Register two = code.fresh();
        code.load(Size.ofBytes(chunk), one, first);
        code.load(Size.ofBytes(chunk), two, second);
        code.jump(Width.W64, JumpOp.JNE, one, two, differ);
        done += chunk;
      }
    }
  }
}
