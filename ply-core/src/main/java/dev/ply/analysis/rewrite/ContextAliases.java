package dev.ply.analysis.rewrite;

import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.Rewriter;
import dev.ply.ir.Script;
import dev.ply.ir.Statement;
import dev.ply.ir.Walker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Replaces the variable of {@code $a = args;} by {@code args} in the statements that follow:
 * verifiers forbid programs to keep the address of their context. The assignment has to be the only
 * one to the variable, and outside other statements.
 */
public final class ContextAliases extends Rewriter {
  private final String variable;

  private ContextAliases(String variable) {
    this.variable = variable;
  }

  public static Script apply(Script script) {
    return script.withClauses(script.clauses().stream().map(ContextAliases::apply).toList());
  }

  private static Clause apply(Clause clause) {
    List<Statement> statements = clause.body().statements();
    for (int i = 0; i < statements.size(); i++) {
      Optional<String> variable = alias(statements.get(i));
      if (variable.isPresent() && Assignments.count(clause.body(), variable.get()) == 1) {
        List<Statement> replaced = new ArrayList<>(statements.subList(0, i));
        // The probe may have no arguments: that is found here.
        replaced.add(
            new Statement.Evaluate(args(statements.get(i).span()), statements.get(i).span()));
        ContextAliases aliases = new ContextAliases(variable.get());
        statements.subList(i + 1, statements.size()).stream()
            .map(aliases::rewrite)
            .forEach(replaced::add);
        return apply(
            new Clause(
                clause.point(),
                clause.pointSpan(),
                clause.predicate(),
                new Statement.Block(replaced, clause.body().span()),
                clause.span()));
      }
    }
    return clause;
  }

  private static Expr args(SourceSpan span) {
    return new Expr.Call(ContextBuiltins.DATA, List.of(), span);
  }

  /** Returns the variable that a statement makes a name of the context. */
  private static Optional<String> alias(Statement statement) {
    if (statement instanceof Statement.Assign assign && isContext(assign.value())) {
      return Optional.of(assign.variable());
    }
    return statement instanceof Statement.Declare declare
            && declare.type().isEmpty()
            && declare.value().filter(ContextAliases::isContext).isPresent()
        ? Optional.of(declare.variable())
        : Optional.empty();
  }

  private static boolean isContext(Expr expr) {
    return expr instanceof Expr.Call call && call.function() == ContextBuiltins.DATA;
  }

  @Override
  public Expr visit(Expr.VariableRead node) {
    return node.name().equals(variable) ? args(node.span()) : node;
  }

  /** Counts the assignments to a variable, and replaces nothing. */
  private static final class Assignments extends Walker {
    private final String variable;
    private int found;

    private Assignments(String variable) {
      this.variable = variable;
    }

    static int count(Statement.Block body, String variable) {
      Assignments assignments = new Assignments(variable);
      assignments.walk(body);
      return assignments.found;
    }

    private void note(String assigned) {
      if (assigned.equals(variable)) {
        found++;
      }
    }

    @Override
    public Walker visit(Statement.Assign node) {
      note(node.variable());
      return super.visit(node);
    }

    @Override
    public Walker visit(Statement.Declare node) {
      note(node.variable());
      return super.visit(node);
    }

    @Override
    public Walker visit(Statement.ForRange node) {
      note(node.variable());
      return super.visit(node);
    }

    @Override
    public Walker visit(Statement.ForEach node) {
      note(node.variable());
      return super.visit(node);
    }
  }
}
