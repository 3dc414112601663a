package dev.ply.bpf.codegen;

import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.ir.Expr;
import dev.ply.type.StructField;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.TupleType;
import java.util.List;

/** Compiles tuples: values in memory, laid out as map keys are, with zeroed padding. */
final class TupleCompiler {
  private final ClauseCompiler clause;
  private final CodeBuilder code;

  TupleCompiler(ClauseCompiler clause) {
    this.clause = clause;
    this.code = clause.code();
  }

  /** Returns whether an expression selects an element of a tuple. */
  boolean isElement(Expr expr) {
    return expr instanceof Expr.Member member
        && clause.clause().typeOf(member.base()) instanceof TupleType;
  }

  private TupleType typeOf(Expr expr) {
    return (TupleType) clause.clause().typeOf(expr);
  }

  /** Writes a tuple in the layout of {@code type}, whose strings may be longer than its own. */
  void write(Expr expr, Place to, TupleType type) {
    if (expr instanceof Expr.Tuple tuple) {
      List<StructField> fields = type.layout().fields();
      int end = 0;
      for (int i = 0; i < fields.size(); i++) {
        StructField field = fields.get(i);
        code.zero(to.plus(end), field.offset() - end);
        clause.maps().write(tuple.elements().get(i), to.plus(field.offset()), field.type());
        end = field.offset() + field.type().size();
      }
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
    } else if (expr instanceof Expr.MapRead read && typeOf(expr).equals(type)) {
      clause.maps().read(read.map(), to, type.size());
    } else {
      copy(at(expr), typeOf(expr), to, type);
    }
  }

  private void copy(Place from, Type own, Place to, Type type) {
    if (own.equals(type)) {
      code.copy(from, to, type.size());
    } else if (own instanceof TupleType narrow && type instanceof TupleType wide) {
      int end = 0;
      for (int i = 0; i < narrow.layout().fields().size(); i++) {
        StructField source = narrow.layout().fields().get(i);
        StructField target = wide.layout().fields().get(i);
        code.zero(to.plus(end), target.offset() - end);
        copy(from.plus(source.offset()), source.type(), to.plus(target.offset()), target.type());
        end = target.offset() + target.type().size();
      }
      code.zero(to.plus(end), wide.size() - end);
    } else {
      code.copy(from, to, own.size());
      // In a longer string, the mark of one that was cut would be part of it.
      boolean drops = own instanceof ArrayType array && array.marksCut();
      int kept = drops && own.size() < type.size() ? own.size() - 1 : own.size();
      code.zero(to.plus(kept), type.size() - kept);
    }
  }

  /** Returns the location of a tuple, or writes it to new memory. */
  private Place at(Expr expr) {
    if (expr instanceof Expr.VariableRead read) {
      return clause.variables().place(clause.variables().named(read));
    }
    if (isElement(expr)) {
      return element((Expr.Member) expr);
    }
    Place place = clause.memory().allocate(typeOf(expr).size());
    write(expr, place, typeOf(expr));
    return place;
  }

  /** Returns the location of a tuple's element. */
  Place element(Expr.Member node) {
    StructField field = typeOf(node.base()).element(node.name()).orElseThrow();
    return at(node.base()).plus(field.offset());
  }

  /** Jumps to {@code target} if the equality of two tuples is {@code sense}, else falls through. */
  void jumpIfEqual(Expr left, Expr right, boolean sense, Label target) {
    Label differ = sense ? code.label("differ") : target;
    Place a = at(left);
    jumpIfDifferent(a, typeOf(left), at(right), typeOf(right), differ);
    if (sense) {
      code.jump(target);
      code.place(differ);
    }
  }

  private void jumpIfDifferent(Place a, TupleType left, Place b, TupleType right, Label differ) {
    for (int i = 0; i < left.layout().fields().size(); i++) {
      StructField x = left.layout().fields().get(i);
      StructField y = right.layout().fields().get(i);
      Place first = a.plus(x.offset());
      Place second = b.plus(y.offset());
      if (x.type() instanceof TupleType inner && y.type() instanceof TupleType other) {
        jumpIfDifferent(first, inner, second, other, differ);
      } else if (x.type().isScalar()) {
        Register one = code.fresh();
        Register two = code.fresh();
        code.load(Size.DW, one, first);
        code.load(Size.DW, two, second);
        code.jump(Width.W64, JumpOp.JNE, one, two, differ);
      } else {
        clause
            .texts()
            .jumpIfDifferent(first, (ArrayType) x.type(), second, (ArrayType) y.type(), differ);
      }
    }
  }
}
