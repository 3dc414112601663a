package dev.ply.bpf.codegen.value;

import dev.ply.bpf.codegen.clause.BuiltinTable;
import dev.ply.bpf.codegen.clause.Cost;
import dev.ply.builtin.Builtin;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Orders the operands of a condition by cost, cheapest first, since one can make the others
 * unnecessary. Operands have no side effects, so the order is not observable.
 */
final class ConditionOrder {
  /** The cost of a map lookup, in the unit of {@link Cost}. */
  private static final int LOOK_UP = 120;

  private final BuiltinTable builtins;

  ConditionOrder(BuiltinTable builtins) {
    this.builtins = builtins;
  }

  /** Returns the operands joined by {@code node}'s operator, cheapest first. */
  List<Expr> cheapestFirst(Expr.Binary node) {
    List<Expr> parts = parts(node);
    parts.sort(Comparator.comparingInt(this::cost));
    return parts;
  }

  /** Returns the operands joined by {@code node}'s operator, in source order. */
  static List<Expr> parts(Expr.Binary node) {
    List<Expr> parts = new ArrayList<>();
    add(node, node.op(), parts);
    return parts;
  }

  private static void add(Expr expr, BinaryOp op, List<Expr> parts) {
    if (expr instanceof Expr.Binary binary && binary.op() == op) {
      add(binary.left(), op, parts);
      add(binary.right(), op, parts);
    } else {
      parts.add(expr);
    }
  }

  private int cost(Expr expr) {
    if (expr instanceof Expr.Unary unary) {
      return 1 + cost(unary.operand());
    }
    if (expr instanceof Expr.Binary binary) {
      return 1 + cost(binary.left()) + cost(binary.right());
    }
    if (expr instanceof Expr.Cast cast) {
      return cost(cast.operand());
    }
    if (expr instanceof Expr.Conditional choice) {
      int then = choice.then().map(this::cost).orElse(0);
      return 1 + cost(choice.condition()) + Math.max(then, cost(choice.otherwise()));
    }
    if (expr instanceof Expr.MapRead read) {
      return LOOK_UP + read.map().keys().stream().mapToInt(this::cost).sum();
    }
    if (expr instanceof Expr.Tuple tuple) {
      return tuple.elements().stream().mapToInt(this::cost).sum();
    }
    if (expr instanceof Expr.Member member) {
      return 1 + cost(member.base());
    }
    if (expr instanceof Expr.Call call) {
      return builtins.cost(Builtin.of(call)).instructions()
          + call.arguments().stream().mapToInt(this::cost).sum();
    }
    return 1;
  }
}
