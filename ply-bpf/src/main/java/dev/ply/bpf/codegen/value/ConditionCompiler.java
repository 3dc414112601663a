package dev.ply.bpf.codegen.value;

import dev.ply.bpf.codegen.clause.BuiltinCode;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.emit.ArithmeticCode;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.codegen.emit.ScalarCode.Constant;
import dev.ply.bpf.codegen.emit.ScalarCode.InRegister;
import dev.ply.bpf.codegen.storage.ConstantArithmetic;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.optimize.Pass;
import dev.ply.builtin.Builtin;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.UnaryOp;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import java.util.List;

/** Compiles conditions: to jumps, and to 0 or 1. */
final class ConditionCompiler {
  private final ClauseCode clause;
  private final CodeBuilder code;

  /** Generates conditions of a clause. */
  ConditionCompiler(ClauseCode clause) {
    this.clause = clause;
    this.code = clause.code();
  }

  /** Jumps to {@code target} if the truth of a condition is {@code sense}. */
  void jumpIf(Expr condition, boolean sense, Label target) {
    if (condition instanceof Expr.Unary unary && unary.op() == UnaryOp.NOT) {
      jumpIf(unary.operand(), !sense, target);
    } else if (condition instanceof Expr.Binary binary && jumpIfBinary(binary, sense, target)) {
      return;
    } else if (condition instanceof Expr.Call call
        && clause.builtins().of(Builtin.of(call)) instanceof BuiltinCode.Comparison comparison) {
      comparison.jumpIf(clause, call, sense, target);
    } else {
      jumpIfTrue(clause.expressions().scalar(condition), typeOf(condition), sense, target);
    }
  }

  private boolean jumpIfBinary(Expr.Binary node, boolean sense, Label target) {
    return switch (node.op().kind()) {
      case LOGICAL -> jumpIfLogical(node, sense, target);
      case COMPARISON -> jumpIfCompared(node, sense, target);
      case ARITHMETIC, SHIFT -> false;
    };
  }

  private boolean jumpIfLogical(Expr.Binary node, boolean sense, Label target) {
    if (node.op() == BinaryOp.LOGICAL_XOR) {
      return false;
    }
    // The side that short-circuits is true for ||, false for &&.
    boolean deciding = node.op() == BinaryOp.LOGICAL_OR;
    List<Expr> parts =
        clause.object().options().passes().contains(Pass.ORDER_CONDITIONS) && !SideEffects.in(node)
            ? new ConditionOrder(clause.builtins()).cheapestFirst(node)
            : ConditionOrder.parts(node);
    if (sense == deciding) {
      parts.forEach(part -> jumpIf(part, sense, target));
    } else {
      Label decided = code.label("decided");
      parts.subList(0, parts.size() - 1).forEach(part -> jumpIf(part, deciding, decided));
      jumpIf(parts.get(parts.size() - 1), sense, target);
      code.place(decided);
    }
    return true;
  }

  private boolean jumpIfCompared(Expr.Binary node, boolean sense, Label target) {
    if (clause.clause().typeOf(node.left()).isAggregate()) {
      clause
          .aggregates()
          .jumpIfEqual(node.left(), node.right(), sense == (node.op() == BinaryOp.EQ), target);
      return true;
    }
    if (clause.clause().typeOf(node.left()) instanceof Type.EncodedString) {
      clause
          .texts()
          .jumpIfSameBuffers(
              node.left(), node.right(), sense == (node.op() == BinaryOp.EQ), target);
      return true;
    }
    if (!clause.clause().typeOf(node.left()).isScalar()) {
      clause
          .texts()
          .jumpIfEqual(node.left(), node.right(), sense == (node.op() == BinaryOp.EQ), target);
      return true;
    }
    boolean equality = node.op() == BinaryOp.EQ || node.op() == BinaryOp.NE;
    if (equality && isZero(node.right()) && isStringCompare(node.left())) {
      jumpIf(node.left(), sense == (node.op() == BinaryOp.NE), target);
      return true;
    }
    IntType type =
        clause.script().configuration().dialect().common(typeOf(node.left()), typeOf(node.right()));
    Operands operands = Operands.of(clause, node, type);
    ScalarCode left = operands.left();
    ScalarCode right = operands.right();
    if (left instanceof Constant a && right instanceof Constant b) {
      if (ConstantArithmetic.holds(node.op(), a.value(), b.value(), type) == sense) {
        code.jump(target);
      }
      return true;
    }
    Register tested = clause.arithmetic().register(left);
    Operand against = clause.arithmetic().operand(right, type);
    code.jump(
        ArithmeticCode.width(type),
        ArithmeticCode.jump(node.op(), type, sense),
        tested,
        against,
        target);
    return true;
  }

  private static boolean isZero(Expr expr) {
    return expr instanceof Expr.IntLiteral literal && literal.value() == 0;
  }

  private boolean isStringCompare(Expr expr) {
    return expr instanceof Expr.Call call
        && clause.builtins().of(Builtin.of(call)) instanceof BuiltinCode.Comparison;
  }

  /** Jumps if whether a number is not 0 is {@code sense}. */
  void jumpIfTrue(ScalarCode value, IntType type, boolean sense, Label target) {
    if (value instanceof Constant constant) {
      if ((constant.value() != 0) == sense) {
        code.jump(target);
      }
      return;
    }
    JumpOp op = sense ? JumpOp.JNE : JumpOp.JEQ;
    code.jump(
        ArithmeticCode.width(type), op, ((InRegister) value).register(), new Immediate(0), target);
  }

  /** Returns 1 if a condition is true, else 0. */
  ScalarCode truth(Expr condition) {
    Label no = code.label("false");
    Label end = code.label("truth");
    // Allocated after the condition, or each level of nesting would occupy a register.
    Register result = code.fresh();
    jumpIf(condition, false, no);
    code.constant(result, 1);
    code.jump(end);
    code.place(no);
    code.constant(result, 0);
    code.place(end);
    return new InRegister(result);
  }

  /** Converts a number to 0 or 1. */
  ScalarCode truth(ScalarCode value, IntType type) {
    if (value instanceof Constant constant) {
      return new Constant(constant.value() == 0 ? 0 : 1);
    }
    Label end = code.label("truth");
    Register result = code.fresh();
    code.constant(result, 0);
    jumpIfTrue(value, type, false, end);
    code.constant(result, 1);
    code.place(end);
    return new InRegister(result);
  }

  private IntType typeOf(Expr expr) {
    return clause.expressions().typeOf(expr);
  }
}
