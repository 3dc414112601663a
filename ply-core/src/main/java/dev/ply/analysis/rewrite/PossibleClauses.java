package dev.ply.analysis.rewrite;

import dev.ply.analysis.typing.ConstantValue;
import dev.ply.builtin.catalog.EventBuiltins;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.Rewriter;
import dev.ply.ir.Script;
import dev.ply.ir.Statement;
import dev.ply.ir.Walker;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Leaves out what constant conditions exclude: clauses, {@code / getopt("all", false) /} without
 * that option, for which nothing is attached then, branches of {@code if}, and what is said about
 * maps that nothing else would fill: they are empty.
 */
public final class PossibleClauses extends Rewriter {
  /** The maps that only excluded code fills. */
  private final Set<String> empty;

  private PossibleClauses(Set<String> empty) {
    this.empty = empty;
  }

  /** Returns a script without what never runs. */
  public static Script of(Script script) {
    Set<String> all = filled(script);
    Script possible = script;
    Set<String> empty = new HashSet<>();
    int before;
    do {
      before = empty.size();
      PossibleClauses pass = new PossibleClauses(Set.copyOf(empty));
      possible =
          possible.withClauses(
              possible.clauses().stream().filter(pass::isPossible).map(pass::rewrite).toList());
      Set<String> left = filled(possible);
      all.stream().filter(map -> !left.contains(map)).forEach(empty::add);
    } while (empty.size() > before);
    return possible;
  }

  private boolean isPossible(Clause clause) {
    return clause.predicate().map(condition -> !isFalse(rewrite(condition))).orElse(true);
  }

  private static boolean isFalse(Expr condition) {
    if (condition instanceof Expr.Binary binary && binary.op() == BinaryOp.LOGICAL_AND) {
      return isFalse(binary.left()) || isFalse(binary.right());
    }
    OptionalLong value = ConstantValue.of(condition);
    return value.isPresent() && value.getAsLong() == 0;
  }

  /** Returns the maps that a script stores something in. */
  static Set<String> filled(Script script) {
    Set<String> maps = new HashSet<>();
    new Walker() {
      @Override
      public Walker visit(Statement.Store node) {
        maps.add(node.target().name());
        return super.visit(node);
      }

      @Override
      public Walker visit(Statement.Aggregate node) {
        maps.add(node.target().name());
        return super.visit(node);
      }

      @Override
      public Walker visit(Statement.Update node) {
        maps.add(node.target().name());
        return super.visit(node);
      }

      @Override
      public Walker visit(Expr.Step node) {
        if (node.target() instanceof Expr.MapRead map) {
          maps.add(map.map().name());
        }
        return super.visit(node);
      }
    }.walk(script);
    return maps;
  }

  @Override
  public Statement visit(Statement.If node) {
    OptionalLong value = ConstantValue.of(rewrite(node.condition()));
    if (value.isEmpty()) {
      return super.visit(node);
    }
    return rewrite(value.getAsLong() != 0 ? node.then() : node.otherwise());
  }

  @Override
  public Statement visit(Statement.Evaluate node) {
    boolean isOfEmpty =
        node.expression() instanceof Expr.Call call
            && (call.function() == EventBuiltins.PRINT || call.function() == EventBuiltins.CLEAR)
            && !call.arguments().isEmpty()
            && call.arguments().get(0) instanceof Expr.MapRead map
            && map.map().keys().isEmpty()
            && empty.contains(map.map().name());
    return isOfEmpty ? new Statement.Block(List.of(), node.span()) : super.visit(node);
  }

  @Override
  public Statement visit(Statement.Delete node) {
    return empty.contains(node.target().name())
        ? new Statement.Block(List.of(), node.span())
        : super.visit(node);
  }

  @Override
  public Expr visit(Expr.MapRead node) {
    return empty.contains(node.map().name()) ? Expr.number(0, node.span()) : super.visit(node);
  }
}
