package dev.ply.ir;

import dev.ply.diagnostic.SourceSpan;
import java.util.List;
import java.util.Optional;

/** A statement. */
public sealed interface Statement {
  /** {@return the position in the source} */
  SourceSpan span();

  /**
   * Calls the visitor's method for this kind of node.
   *
   * @param visitor the operation, with a method for each kind
   */
  <R> R accept(Visitor<R> visitor);

  /** A statement that repeats others, and that {@code break} and {@code continue} are meant for. */
  sealed interface Loop extends Statement permits While, ForRange, ForEach {
    /** {@return the statements to repeat} */
    Block body();

    /**
     * {@return this loop with other statements}
     *
     * @param other the statements to repeat
     */
    Loop withBody(Block other);
  }

  /**
   * {@code { … }}: statements in order.
   *
   * @param statements in the order in which they run
   */
  record Block(List<Statement> statements, SourceSpan span) implements Statement {
    /** Copies the statements. */
    public Block {
      statements = List.copyOf(statements);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code if (condition) then else otherwise}; without an else branch that block is empty.
   *
   * @param condition true unless zero
   * @param then runs if the condition is true
   * @param otherwise runs if the condition is false
   */
  record If(Expr condition, Block then, Block otherwise, SourceSpan span) implements Statement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code map[keys] = value}.
   *
   * @param target the map and its key
   * @param value replaces that of the key
   */
  record Store(MapRef target, Expr value, SourceSpan span) implements Statement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code @map[keys] = aggregation}.
   *
   * @param target the map and its key
   * @param aggregation adds to the entry of the key
   */
  record Aggregate(MapRef target, Aggregation aggregation, SourceSpan span) implements Statement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code delete map[keys]}.
   *
   * @param target the map and its key; without key, the variable as a whole
   */
  record Delete(MapRef target, SourceSpan span) implements Statement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code return}: leaves this clause; other clauses of the probe still run.
   *
   * @param value a number, evaluated before; tracing ignores it
   */
  record Return(Optional<Expr> value, SourceSpan span) implements Statement {
    /** Leaves the clause without a value. */
    public Return(SourceSpan span) {
      this(Optional.empty(), span);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * An expression evaluated for its effect: {@code print(…)}, {@code exit(…)}.
   *
   * @param expression its value is not used
   */
  record Evaluate(Expr expression, SourceSpan span) implements Statement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code $name = value}: sets a scratch variable; the first assignment declares it in its block.
   *
   * @param variable with its {@code $}
   * @param variableSpan the position of the name
   * @param value of the type of the variable from its first assignment on
   */
  record Assign(String variable, SourceSpan variableSpan, Expr value, SourceSpan span)
      implements Statement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code let $name: type = value}: declares a scratch variable in this block; zero without a
   * value.
   *
   * @param variable with its {@code $}
   * @param type without one, that of the value
   * @param value the first value, zero if empty
   */
  record Declare(
      String variable, Optional<TypeReference> type, Optional<Expr> value, SourceSpan span)
      implements Statement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code map[keys] op= value}: changes an entry of a map in place.
   *
   * @param target the map and its key
   * @param op combines the old value with the operand
   * @param value the operand
   */
  record Update(MapRef target, BinaryOp op, Expr value, SourceSpan span) implements Statement {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code while (condition) body}.
   *
   * @param condition evaluated before each iteration, true unless zero
   * @param body the statements to repeat
   */
  record While(Expr condition, Block body, SourceSpan span) implements Loop {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }

    @Override
    public Loop withBody(Block other) {
      return new While(condition, other, span);
    }
  }

  /**
   * {@code for ($i : from..to) body}: iterates over the integers from {@code from} to before {@code
   * to}.
   *
   * @param variable with its {@code $}
   * @param from the first integer
   * @param to the integer after the last
   * @param body the statements to repeat
   */
  record ForRange(String variable, Expr from, Expr to, Block body, SourceSpan span)
      implements Loop {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }

    @Override
    public Loop withBody(Block other) {
      return new ForRange(variable, from, to, other, span);
    }
  }

  /**
   * {@code for ($kv : map) body}: iterates over the entries of a map, in no particular order. The
   * variable is a tuple of key and value; the key is itself a tuple if it has several components.
   *
   * @param variable with its {@code $}
   * @param map without keys
   * @param body runs for each entry
   */
  record ForEach(String variable, MapRef map, Block body, SourceSpan span) implements Loop {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }

    @Override
    public Loop withBody(Block other) {
      return new ForEach(variable, map, other, span);
    }
  }

  /**
   * {@code unroll (count) body}: repeats the body, without a loop, a constant number of times.
   *
   * @param count a constant from 1 to 100
   * @param body the statements to repeat
   */
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

  /** {@code continue}: starts the next iteration of the innermost loop. */
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

    /** Visits a return. */
    R visit(Return node);

    /** Visits an expression evaluated for its effect. */
    R visit(Evaluate node);

    /** Visits an assignment to a variable. */
    R visit(Assign node);

    /** Visits the declaration of a variable. */
    R visit(Declare node);

    /** Visits a compound assignment to a map entry. */
    R visit(Update node);

    /** Visits a loop with a condition. */
    R visit(While node);

    /** Visits a loop over a range. */
    R visit(ForRange node);

    /** Visits a loop over a map. */
    R visit(ForEach node);

    /** Visits an unrolled loop. */
    R visit(Unroll node);

    /** Visits a break. */
    R visit(Break node);

    /** Visits a continue. */
    R visit(Continue node);
  }
}
