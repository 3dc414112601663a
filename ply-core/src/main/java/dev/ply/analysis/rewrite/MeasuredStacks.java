package dev.ply.analysis.rewrite;

import dev.ply.builtin.catalog.MapBuiltins;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.Rewriter;
import dev.ply.ir.Script;
import dev.ply.ir.Statement;
import dev.ply.ir.Walker;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Replaces the argument of {@code len} by a stack of the clause if it is a variable that only this
 * stack is assigned to: programs cannot read what they recorded, but measure the same stack again.
 */
public final class MeasuredStacks extends Rewriter {
  private final Map<String, Expr> stacks;

  private MeasuredStacks(Map<String, Expr> stacks) {
    this.stacks = stacks;
  }

  public static Script apply(Script script) {
    List<Clause> clauses = script.clauses().stream().map(MeasuredStacks::apply).toList();
    return clauses.equals(script.clauses()) ? script : script.withClauses(clauses);
  }

  private static Clause apply(Clause clause) {
    Map<String, Expr> stacks = Assignments.stacks(clause);
    if (stacks.isEmpty()) {
      return clause;
    }
    Statement.Block body =
        (Statement.Block) new MeasuredStacks(stacks).rewrite((Statement) clause.body());
    return new Clause(clause.point(), clause.pointSpan(), clause.predicate(), body, clause.span());
  }

  @Override
  public Expr visit(Expr.Call node) {
    if (node.function() == MapBuiltins.LEN
        && node.arguments().size() == 1
        && node.arguments().get(0) instanceof Expr.VariableRead variable
        && stacks.containsKey(variable.name())) {
      return new Expr.Call(node.function(), List.of(stacks.get(variable.name())), node.span());
    }
    return super.visit(node);
  }

  /** Finds the variables that are set once, to a stack. */
  private static final class Assignments extends Walker {
    private final Map<String, Expr> stacks = new HashMap<>();
    private final Set<String> assigned = new HashSet<>();

    static Map<String, Expr> stacks(Clause clause) {
      Assignments finder = new Assignments();
      finder.walk(clause.body());
      return finder.stacks;
    }

    private void assign(String variable, List<Expr> values) {
      boolean isFirst = assigned.add(variable);
      if (!isFirst) {
        stacks.remove(variable);
      } else if (values.size() == 1 && MapBuiltins.isStack(values.get(0))) {
        stacks.put(variable, values.get(0));
      }
    }

    @Override
    public Walker visit(Statement.Assign node) {
      assign(node.variable(), List.of(node.value()));
      return super.visit(node);
    }

    @Override
    public Walker visit(Statement.Declare node) {
      assign(node.variable(), node.value().stream().toList());
      return super.visit(node);
    }
  }
}
