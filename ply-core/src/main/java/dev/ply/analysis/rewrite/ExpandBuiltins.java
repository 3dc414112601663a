package dev.ply.analysis.rewrite;

import com.google.common.collect.ImmutableList;
import dev.ply.analysis.typing.ConstantValue;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.catalog.ClockBuiltins;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.ErrorBuiltins;
import dev.ply.builtin.catalog.EventBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.Rewriter;
import dev.ply.ir.Script;
import dev.ply.ir.Statement;
import dev.ply.ir.declaration.Configuration;
import dev.ply.probe.TracerProbe;
import dev.ply.type.Dialect;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Expands macros, the built-ins that are expressed in the language, and adds the clauses that they
 * need.
 */
public final class ExpandBuiltins extends Rewriter {
  private final Configuration configuration;
  private final boolean exitReturns;
  private boolean needsBeginning;

  private ExpandBuiltins(Configuration configuration) {
    this.configuration = configuration;
    this.exitReturns = configuration.dialect() == Dialect.BPFTRACE;
  }

  public static Script apply(Script script) {
    ExpandBuiltins expand = new ExpandBuiltins(script.configuration());
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
        new TracerProbe.Begin(),
        span,
        Optional.empty(),
        new Statement.Block(List.of(store), span),
        span);
  }

  @Override
  public Expr visit(Expr.Call node) {
    note(node);
    if (node.function() == ContextBuiltins.CONFIG && isComplete(node)) {
      return ConfigurationRecord.of(configuration, node.span());
    }
    return isComplete(node)
        ? Builtin.of(node).expansion(node).map(this::rewrite).orElseGet(() -> super.visit(node))
        : super.visit(node);
  }

  private void note(Expr.Call call) {
    needsBeginning |= call.function() == ClockBuiltins.ELAPSED;
  }

  @Override
  public Statement visit(Statement.Evaluate node) {
    if (node.expression() instanceof Expr.Call call) {
      note(call);
    }
    if (exitReturns
        && node.expression() instanceof Expr.Call exit
        && exit.function() == EventBuiltins.EXIT) {
      Statement end = new Statement.Return(node.span());
      return new Statement.Block(List.of(super.visit(node), end), node.span());
    }
    return node.expression() instanceof Expr.Call call && isComplete(call)
        ? Builtin.of(call).statement(call).map(this::rewrite).orElseGet(() -> super.visit(node))
        : super.visit(node);
  }

  /** In a branch that is not taken, {@code fail} has no effect. */
  @Override
  public Statement visit(Statement.If node) {
    OptionalLong condition = ConstantValue.of(node.condition());
    if (condition.isEmpty()) {
      return super.visit(node);
    }
    Statement.Block excluded = condition.getAsLong() == 0 ? node.then() : node.otherwise();
    Statement.Block taken = condition.getAsLong() == 0 ? node.otherwise() : node.then();
    return excluded.statements().stream().anyMatch(ExpandBuiltins::fails)
        ? rewrite(taken)
        : super.visit(node);
  }

  private static boolean fails(Statement statement) {
    return statement instanceof Statement.Evaluate evaluate
        && evaluate.expression() instanceof Expr.Call call
        && call.function() == ErrorBuiltins.FAIL;
  }

  /** The number of arguments is checked in typing. */
  private static boolean isComplete(Expr.Call call) {
    return Builtin.of(call).signature().accepts(call.arguments().size());
  }
}
