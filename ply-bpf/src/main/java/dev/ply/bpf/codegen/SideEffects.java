package dev.ply.bpf.codegen;

import dev.ply.builtin.Builtin;
import dev.ply.builtin.Effect;
import dev.ply.ir.Expr;
import dev.ply.ir.Rewriter;

/** Finds expressions with side effects, which must be evaluated in order. */
final class SideEffects {
  private SideEffects() {}

  /** Returns whether an expression contains statements. */
  static boolean areStatements(Expr expr) {
    StatementFinder finder = new StatementFinder();
    Expr unused = finder.rewrite(expr);
    return finder.isFound;
  }

  private static final class StatementFinder extends Rewriter {
    private boolean isFound;

    @Override
    public Expr visit(Expr.Block node) {
      isFound = true;
      return node;
    }
  }

  /** Returns whether an expression changes a variable or a map. */
  static boolean in(Expr expr) {
    if (expr instanceof Expr.Step || expr instanceof Expr.Block) {
      return true;
    }
    if (expr instanceof Expr.Unary unary) {
      return in(unary.operand());
    }
    if (expr instanceof Expr.Cast cast) {
      return in(cast.operand());
    }
    if (expr instanceof Expr.Binary binary) {
      return in(binary.left()) || in(binary.right());
    }
    if (expr instanceof Expr.Conditional choice) {
      return in(choice.condition())
          || choice.then().filter(SideEffects::in).isPresent()
          || in(choice.otherwise());
    }
    if (expr instanceof Expr.MapRead read) {
      return read.map().keys().stream().anyMatch(SideEffects::in);
    }
    if (expr instanceof Expr.Call call) {
      return Builtin.of(call).effect() == Effect.CHANGE
          || call.arguments().stream().anyMatch(SideEffects::in);
    }
    if (expr instanceof Expr.Tuple tuple) {
      return tuple.elements().stream().anyMatch(SideEffects::in);
    }
    if (expr instanceof Expr.Element element) {
      return in(element.base()) || in(element.index());
    }
    return expr instanceof Expr.Member member && in(member.base());
  }
}
