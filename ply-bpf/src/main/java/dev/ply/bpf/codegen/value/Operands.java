package dev.ply.bpf.codegen.value;

import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.ir.Expr;
import dev.ply.type.Type.IntType;

/** The operands of an operation. */
record Operands(ScalarCode left, ScalarCode right) {
  /** Compiles both operands, first the one that needs more registers (Sethi and Ullman). */
  static Operands of(ClauseCode clause, Expr.Binary node, IntType type) {
    boolean isOrderFree = !SideEffects.in(node);
    if (isOrderFree && registers(node.right()) > registers(node.left())) {
      ScalarCode right = clause.expressions().scalar(node.right(), type);
      return new Operands(clause.expressions().scalar(node.left(), type), right);
    }
    ScalarCode left = clause.expressions().scalar(node.left(), type);
    return new Operands(left, clause.expressions().scalar(node.right(), type));
  }

  /** Estimates the number of registers needed for an expression. */
  private static int registers(Expr expr) {
    if (expr instanceof Expr.Unary unary) {
      return registers(unary.operand());
    }
    if (expr instanceof Expr.Binary binary) {
      int left = registers(binary.left());
      int right = registers(binary.right());
      return left == right ? left + 1 : Math.max(left, right);
    }
    if (expr instanceof Expr.MapRead read) {
      return read.map().keys().stream().mapToInt(Operands::registers).max().orElse(1);
    }
    return 1;
  }
}
