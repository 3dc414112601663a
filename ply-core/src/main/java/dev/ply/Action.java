package dev.ply;

import dev.ply.ir.SourceSpan;
import dev.ply.ir.Statement;
import java.util.Arrays;
import java.util.List;

/** A statement of a probe's body. Immutable; created by the methods of {@link Actions}. */
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
