package dev.ply.analysis;

import dev.ply.ir.Expr;
import dev.ply.ir.Rewriter;
import dev.ply.ir.Script;
import dev.ply.ir.Statement;

/** Replaces calls of built-ins that the language expresses in itself by what they stand for. */
final class ExpandBuiltins extends Rewriter {
  private ExpandBuiltins() {}

  static Script apply(Script script) {
    return new ExpandBuiltins().rewrite(script);
  }

  @Override
  public Expr visit(Expr.Call node) {
    return isComplete(node)
        ? node.function().expansion(node).map(this::rewrite).orElseGet(() -> super.visit(node))
        : super.visit(node);
  }

  @Override
  public Statement visit(Statement.Evaluate node) {
    return node.expression() instanceof Expr.Call call && isComplete(call)
        ? call.function().statement(call).map(this::rewrite).orElseGet(() -> super.visit(node))
        : super.visit(node);
  }

  /** The number of arguments is checked where types are. */
  private static boolean isComplete(Expr.Call call) {
    return call.function().signature().accepts(call.arguments().size());
  }
}
