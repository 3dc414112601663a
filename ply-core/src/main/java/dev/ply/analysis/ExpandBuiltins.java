package dev.ply.analysis;

import com.google.common.collect.ImmutableList;
import dev.ply.builtin.ClockBuiltins;
import dev.ply.ir.AttachPoint;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.Rewriter;
import dev.ply.ir.Script;
import dev.ply.ir.SourceSpan;
import dev.ply.ir.Statement;
import java.util.List;
import java.util.Optional;

/**
 * Expands macros, the built-ins that are expressed in the language, and adds the clauses that they
 * need.
 */
final class ExpandBuiltins extends Rewriter {
  private boolean needsBeginning;

  private ExpandBuiltins() {}

  static Script apply(Script script) {
    ExpandBuiltins expand = new ExpandBuiltins();
    Script expanded = expand.rewrite(script);
    return expand.needsBeginning
        ? expanded.withClauses(
            ImmutableList.<Clause>builder().add(beginning()).addAll(expanded.clauses()).build())
        : expanded;
  }

  /** Returns the clause that stores the start time of the trace. */
  private static Clause beginning() {
    SourceSpan span = SourceSpan.NONE;
    Statement store =
        new Statement.Store(
            ClockBuiltins.beginning(span),
            new Expr.Call(ClockBuiltins.NSECS, List.of(), span),
            span);
    return new Clause(
        new AttachPoint.Begin(),
        span,
        Optional.empty(),
        new Statement.Block(List.of(store), span),
        span);
  }

  @Override
  public Expr visit(Expr.Call node) {
    needsBeginning |= node.function() == ClockBuiltins.ELAPSED;
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

  /** The number of arguments is checked in typing. */
  private static boolean isComplete(Expr.Call call) {
    return call.function().signature().accepts(call.arguments().size());
  }
}
