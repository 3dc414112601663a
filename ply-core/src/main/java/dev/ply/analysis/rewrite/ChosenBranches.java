package dev.ply.analysis.rewrite;

import dev.ply.analysis.typing.ConstantValue;
import dev.ply.builtin.catalog.TypeBuiltins;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.Rewriter;
import dev.ply.ir.Script;
import dev.ply.ir.Statement;
import dev.ply.ir.UnaryOp;
import dev.ply.ir.Walker;
import dev.ply.type.Type;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Leaves out the branches that questions about types exclude, {@code if (is_str($x)) { … }}: what
 * is in them may make sense for other types only.
 */
public final class ChosenBranches extends Rewriter {
  private final Map<Expr, Type> types;

  private ChosenBranches(Map<Expr, Type> types) {
    this.types = types;
  }

  /** Returns whether a script has type predicates. */
  public static boolean concerns(Script script) {
    Questions questions = new Questions();
    questions.walk(script);
    return questions.areAsked;
  }

  /** Looks for questions and replaces nothing. */
  private static final class Questions extends Walker {
    private boolean areAsked;

    @Override
    public Walker visit(Expr.Call node) {
      areAsked |= node.function() instanceof TypeBuiltins.Predicate;
      return super.visit(node);
    }
  }

  /**
   * Returns a clause without the excluded branches, the clause itself if there are none.
   *
   * @param types of its expressions, by identity
   */
  public static Clause apply(Clause clause, Map<Expr, Type> types) {
    Statement body = new ChosenBranches(types).rewrite(clause.body());
    return body == clause.body()
        ? clause
        : new Clause(
            clause.point(),
            clause.pointSpan(),
            clause.predicate(),
            (Statement.Block) body,
            clause.span());
  }

  @Override
  public Statement visit(Statement.If node) {
    OptionalLong answer = answer(node.condition());
    if (answer.isEmpty()) {
      return super.visit(node);
    }
    return rewrite(answer.getAsLong() != 0 ? node.then() : node.otherwise());
  }

  @Override
  public Expr visit(Expr.Conditional node) {
    OptionalLong answer = answer(node.condition());
    if (answer.isEmpty() || node.then().isEmpty()) {
      return super.visit(node);
    }
    return rewrite(answer.getAsLong() != 0 ? node.then().get() : node.otherwise());
  }

  /** Returns the value of a condition of type predicates; empty for any other. */
  private OptionalLong answer(Expr condition) {
    return asks(condition) ? value(condition) : OptionalLong.empty();
  }

  private static boolean asks(Expr expr) {
    if (expr instanceof Expr.Binary binary) {
      return asks(binary.left()) || asks(binary.right());
    }
    return expr instanceof Expr.Unary unary
        ? asks(unary.operand())
        : expr instanceof Expr.Call call && call.function() instanceof TypeBuiltins.Predicate;
  }

  private OptionalLong value(Expr expr) {
    if (expr instanceof Expr.Call call
        && call.function() instanceof TypeBuiltins.Predicate question
        && call.arguments().size() == 1) {
      Expr argument = call.arguments().get(0);
      return Optional.ofNullable(types.get(argument))
          .map(type -> ConstantValue.truth(question.holds(argument, type)))
          .orElseGet(OptionalLong::empty);
    }
    if (expr instanceof Expr.Unary unary && unary.op() == UnaryOp.NOT) {
      return ConstantValue.not(value(unary.operand()));
    }
    return expr instanceof Expr.Binary binary
        ? ConstantValue.of(binary.op(), value(binary.left()), value(binary.right()))
        : ConstantValue.of(expr);
  }
}
