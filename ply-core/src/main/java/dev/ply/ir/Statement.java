package dev.ply.ir;

import java.util.List;
import java.util.Optional;

/** A statement. */
public sealed interface Statement {
  /** Returns the place in the source. */
  SourceSpan span();

  /** Calls the visitor's method for this kind of node. */
  <R> R accept(Visitor<R> visitor);

  /** {@code { … }}: statements in order. */
  record Block(List<Statement> statements, SourceSpan span) implements Statement {
    public Block {
      statements = List.copyOf(statements);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** {@code if (condition) then else otherwise}; without an else branch that block is empty. */
  record If(Expr condition, Block then, Block otherwise, SourceSpan span) implements Statement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** {@code map[keys] = value}. */
  record Store(MapRef target, Expr value, SourceSpan span) implements Statement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** {@code @map[keys] = aggregation}. */
  record Aggregate(MapRef target, Aggregation aggregation, SourceSpan span) implements Statement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** {@code delete map[keys]}. */
  record Delete(MapRef target, SourceSpan span) implements Statement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** {@code return}: ends this clause for this hit; other clauses of the probe still run. */
  record Return(SourceSpan span) implements Statement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** An expression evaluated for its effect: {@code print(…)}, {@code exit(…)}. */
  record Evaluate(Expr expression, SourceSpan span) implements Statement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code $name = value}: sets a scratch variable, which comes to be where the enclosing blocks
   * have none of that name.
   *
   * @param variable with its {@code $}
   * @param variableSpan the place of the name
   */
  record Assign(String variable, SourceSpan variableSpan, Expr value, SourceSpan span)
      implements Statement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code let $name: type = value}: declares a scratch variable of the block, zero without a
   * value.
   *
   * @param variable with its {@code $}
   */
  record Declare(String variable, Optional<TypeName> type, Optional<Expr> value, SourceSpan span)
      implements Statement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** {@code map[keys] op= value}: changes an entry of a map in place. */
  record Update(MapRef target, BinaryOp op, Expr value, SourceSpan span) implements Statement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** {@code while (condition) body}. */
  record While(Expr condition, Block body, SourceSpan span) implements Statement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code for ($name : from..to) body}: the numbers from the first to before the last.
   *
   * @param variable with its {@code $}
   */
  record ForRange(String variable, Expr from, Expr to, Block body, SourceSpan span)
      implements Statement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** {@code unroll (count) body}: the body as often as a constant says, without a loop. */
  record Unroll(Expr count, Block body, SourceSpan span) implements Statement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** {@code break}: leaves the innermost loop. */
  record Break(SourceSpan span) implements Statement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** {@code continue}: starts the next round of the innermost loop. */
  record Continue(SourceSpan span) implements Statement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** One method per kind of statement, so that a new kind is a compile error in every pass. */
  interface Visitor<R> {
    /** Visits a block. */
    R visit(Block node);

    /** Visits a condition. */
    R visit(If node);

    /** Visits a store to a map. */
    R visit(Store node);

    /** Visits an update of an aggregation. */
    R visit(Aggregate node);

    /** Visits a removal from a map. */
    R visit(Delete node);

    /** Visits an early end. */
    R visit(Return node);

    /** Visits an expression evaluated for its effect. */
    R visit(Evaluate node);

    /** Visits an assignment to a variable. */
    R visit(Assign node);

    /** Visits the declaration of a variable. */
    R visit(Declare node);

    /** Visits an operation on a map's entry. */
    R visit(Update node);

    /** Visits a loop with a condition. */
    R visit(While node);

    /** Visits a loop over numbers. */
    R visit(ForRange node);

    /** Visits an unrolled loop. */
    R visit(Unroll node);

    /** Visits the end of a loop. */
    R visit(Break node);

    /** Visits the end of a loop's round. */
    R visit(Continue node);
  }
}
