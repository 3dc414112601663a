package dev.ply;

import dev.ply.builtin.Builtin;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import dev.ply.ir.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A statement of a probe's body. Immutable; created by {@link Actions} and its like. */
public sealed class Action permits Action.Conditional {
  private final Statement statement;

  Action(Statement statement) {
    this.statement = statement;
  }

  /** {@return the statement as IR} */
  public Statement statement() {
    return statement;
  }

  static Statement.Block block(SourceSpan span, Action... actions) {
    List<Statement> statements = Arrays.stream(actions).map(Action::statement).toList();
    return new Statement.Block(statements, span);
  }

  /** Returns a call of a built-in as an action. */
  static Action call(Builtin function, List<Expr> arguments) {
    SourceSpan here = CallSite.here();
    return new Action(new Statement.Evaluate(new Expr.Call(function, arguments, here), here));
  }

  /** Returns a call of a built-in whose first argument is a format. */
  static Action formatted(Builtin function, String format, Value... values) {
    List<Expr> arguments = new ArrayList<>();
    arguments.add(new Expr.StringLiteral(format, CallSite.here()));
    arguments.addAll(Value.exprs(values));
    return call(function, arguments);
  }

  /** Actions that run if a condition holds. */
  public static final class Conditional extends Action {
    private final Statement.If branch;

    Conditional(Statement.If branch) {
      super(branch);
      this.branch = branch;
    }

    /**
     * {@return this action with actions that run if the condition does not hold}
     *
     * @param actions what to run instead, in order
     */
    public Action otherwise(Action... actions) {
      SourceSpan span = branch.span();
      return new Action(
          new Statement.If(branch.condition(), branch.then(), block(span, actions), span));
    }
  }
}
