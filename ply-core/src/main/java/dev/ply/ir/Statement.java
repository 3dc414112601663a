package dev.ply.ir;

import java.util.List;

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
  }
}
