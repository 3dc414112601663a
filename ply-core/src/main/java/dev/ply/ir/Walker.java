package dev.ply.ir;

import java.util.List;
import java.util.Optional;

/**
 * Visits the nodes of trees, each before its parts, in the order of the source. Subclasses override
 * the methods of the nodes they inspect; the overridden method visits the node's parts.
 */
public abstract class Walker implements Expr.Visitor<Walker>, Statement.Visitor<Walker> {
  /** Creates a walker that inspects nothing by itself. */
  protected Walker() {}

  /**
   * Visits the clauses of a script.
   *
   * @param script with any clauses
   */
  public final void walk(Script script) {
    script.clauses().forEach(this::walk);
  }

  /**
   * Visits the predicate and the body of a clause.
   *
   * @param clause of a script
   */
  public final void walk(Clause clause) {
    optional(clause.predicate());
    walk(clause.body());
  }

  /**
   * Visits an expression.
   *
   * @param expr of any kind
   */
  public final void walk(Expr expr) {
    Walker unused = expr.accept(this);
  }

  /**
   * Visits a statement.
   *
   * @param statement of any kind
   */
  public final void walk(Statement statement) {
    Walker unused = statement.accept(this);
  }

  private Walker all(List<Expr> expressions) {
    expressions.forEach(this::walk);
    return this;
  }

  private void optional(Optional<Expr> expr) {
    expr.ifPresent(this::walk);
  }

  private Walker type(TypeReference type) {
    if (type instanceof TypeArray array) {
      return type(array.element());
    }
    if (type instanceof TypeOf typeOf) {
      walk(typeOf.operand());
    }
    return this;
  }

  @Override
  public Walker visit(Expr.IntLiteral node) {
    return this;
  }

  @Override
  public Walker visit(Expr.StringLiteral node) {
    return this;
  }

  @Override
  public Walker visit(Expr.Call node) {
    return all(node.arguments());
  }

  @Override
  public Walker visit(Expr.Argument node) {
    return this;
  }

  @Override
  public Walker visit(Expr.MapRead node) {
    return all(node.map().keys());
  }

  @Override
  public Walker visit(Expr.Member node) {
    walk(node.base());
    return this;
  }

  @Override
  public Walker visit(Expr.NamedConstant node) {
    return this;
  }

  @Override
  public Walker visit(Expr.Element node) {
    walk(node.base());
    walk(node.index());
    return this;
  }

  @Override
  public Walker visit(Expr.Unknown node) {
    return all(node.parts());
  }

  @Override
  public Walker visit(Expr.Tuple node) {
    return all(node.elements());
  }

  @Override
  public Walker visit(Expr.Unary node) {
    walk(node.operand());
    return this;
  }

  @Override
  public Walker visit(Expr.Binary node) {
    walk(node.left());
    walk(node.right());
    return this;
  }

  @Override
  public Walker visit(Expr.VariableRead node) {
    return this;
  }

  @Override
  public Walker visit(Expr.Conditional node) {
    walk(node.condition());
    optional(node.then());
    walk(node.otherwise());
    return this;
  }

  @Override
  public Walker visit(Expr.Cast node) {
    walk(node.operand());
    return type(node.type());
  }

  @Override
  public Walker visit(Expr.OffsetOf node) {
    return type(node.type());
  }

  @Override
  public Walker visit(Expr.SizeOfType node) {
    return type(node.type());
  }

  @Override
  public Walker visit(Expr.SizeOf node) {
    walk(node.operand());
    return this;
  }

  @Override
  public Walker visit(Expr.Step node) {
    walk(node.target());
    return this;
  }

  @Override
  public Walker visit(Expr.Block node) {
    walk(node.statements());
    walk(node.value());
    return this;
  }

  @Override
  public Walker visit(Statement.Block node) {
    node.statements().forEach(this::walk);
    return this;
  }

  @Override
  public Walker visit(Statement.If node) {
    walk(node.condition());
    walk(node.then());
    walk(node.otherwise());
    return this;
  }

  @Override
  public Walker visit(Statement.Store node) {
    Walker unused = all(node.target().keys());
    walk(node.value());
    return this;
  }

  @Override
  public Walker visit(Statement.Aggregate node) {
    Walker unused = all(node.target().keys());
    return all(node.aggregation().arguments());
  }

  @Override
  public Walker visit(Statement.Delete node) {
    return all(node.target().keys());
  }

  @Override
  public Walker visit(Statement.Return node) {
    optional(node.value());
    return this;
  }

  @Override
  public Walker visit(Statement.Evaluate node) {
    walk(node.expression());
    return this;
  }

  @Override
  public Walker visit(Statement.Assign node) {
    walk(node.value());
    return this;
  }

  @Override
  public Walker visit(Statement.Declare node) {
    optional(node.value());
    node.type().ifPresent(this::type);
    return this;
  }

  @Override
  public Walker visit(Statement.Update node) {
    Walker unused = all(node.target().keys());
    walk(node.value());
    return this;
  }

  @Override
  public Walker visit(Statement.While node) {
    walk(node.condition());
    walk(node.body());
    return this;
  }

  @Override
  public Walker visit(Statement.ForRange node) {
    walk(node.from());
    walk(node.to());
    walk(node.body());
    return this;
  }

  @Override
  public Walker visit(Statement.ForEach node) {
    walk(node.body());
    return this;
  }

  @Override
  public Walker visit(Statement.Unroll node) {
    walk(node.count());
    walk(node.body());
    return this;
  }

  @Override
  public Walker visit(Statement.Break node) {
    return this;
  }

  @Override
  public Walker visit(Statement.Continue node) {
    return this;
  }
}
