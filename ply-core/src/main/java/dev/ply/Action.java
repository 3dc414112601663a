package dev.ply;

import dev.ply.ir.SourceSpan;
import dev.ply.ir.Statement;
import java.util.Arrays;
import java.util.List;

/**
 * Something that a probe does when it fires: one statement of its body. Immutable; made by the
 * methods of {@link Actions}.
 */
public sealed class Action permits Action.Conditional {
  private final Statement statement;

  Action(Statement statement) {
    this.statement = statement;
  }

  /** Returns the statement this action stands for. */
  public Statement statement() {
    return statement;
  }

  static Statement.Block block(SourceSpan span, Action... actions) {
    List<Statement> statements = Arrays.stream(actions).map(Action::statement).toList();
    return new Statement.Block(statements, span);
  }

  /** Actions that are done where a condition holds. */
  public static final class Conditional extends Action {
    private final Statement.If branch;

    Conditional(Statement.If branch) {
      super(branch);
      this.branch = branch;
    }

    /** Returns this with what is done where the condition does not hold. */
    public Action otherwise(Action... actions) {
      SourceSpan span = branch.span();
      return new Action(
          new Statement.If(branch.condition(), branch.then(), block(span, actions), span));
    }
  }
}
