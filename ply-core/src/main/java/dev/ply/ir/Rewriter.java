package dev.ply.ir;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Rebuilds trees bottom-up, replacing nodes. A node without replaced parts stays the same object.
 * Subclasses override the methods of the nodes they replace.
 */
@SuppressWarnings({
  "OptionalEquality",
  "ReferenceEquality"
}) // A node without replaced parts stays the same object.
public abstract class Rewriter implements Expr.Visitor<Expr>, Statement.Visitor<Statement> {
  /** Creates a rewriter that replaces nothing by itself. */
  protected Rewriter() {}

  /**
   * {@return the script with all replacements}
   *
   * @param script left as it is
   */
  public Script rewrite(Script script) {
    List<Clause> clauses = all(script.clauses(), this::rewrite);
    return clauses == script.clauses() ? script : script.withClauses(clauses);
  }

  /**
   * {@return a clause with all replacements}
   *
   * @param clause left as it is
   */
  public Clause rewrite(Clause clause) {
    Optional<Expr> predicate = optional(clause.predicate());
    Statement.Block body = block(clause.body());
    return predicate == clause.predicate() && body == clause.body()
        ? clause
        : new Clause(clause.point(), clause.pointSpan(), predicate, body, clause.span());
  }

  /**
   * {@return an expression with all replacements}
   *
   * @param expr left as it is
   */
  public Expr rewrite(Expr expr) {
    return expr.accept(this);
  }

  /**
   * {@return a statement with all replacements}
   *
   * @param statement left as it is
   */
  public Statement rewrite(Statement statement) {
    return statement.accept(this);
  }

  private List<Expr> expressions(List<Expr> expressions) {
    return all(expressions, this::rewrite);
  }

  private Optional<Expr> optional(Optional<Expr> expr) {
    if (expr.isEmpty()) {
      return expr;
    }
    Expr changed = rewrite(expr.get());
    return changed == expr.get() ? expr : Optional.of(changed);
  }

  private TypeReference type(TypeReference type) {
    if (type instanceof TypeArray array) {
      TypeReference element = type(array.element());
      return element == array.element()
          ? type
          : new TypeArray(element, array.length(), array.pointers());
    }
    if (!(type instanceof TypeOf typeOf)) {
      return type;
    }
    Expr operand = rewrite(typeOf.operand());
    return operand == typeOf.operand() ? type : new TypeOf(operand, typeOf.pointers());
  }

  private Statement.Block block(Statement.Block block) {
    List<Statement> statements = all(block.statements(), this::rewrite);
    return statements == block.statements() ? block : new Statement.Block(statements, block.span());
  }

  private MapRef map(MapRef map) {
    List<Expr> keys = expressions(map.keys());
    return keys == map.keys() ? map : new MapRef(map.name(), keys, map.span());
  }

  private static <T> List<T> all(List<T> nodes, UnaryOperator<T> rewrite) {
    boolean isChanged = false;
    List<T> changed = new ArrayList<>(nodes.size());
    for (T node : nodes) {
      T other = rewrite.apply(node);
      isChanged |= other != node;
      changed.add(other);
    }
    return isChanged ? changed : nodes;
  }

  @Override
  public Expr visit(Expr.IntLiteral node) {
    return node;
  }

  @Override
  public Expr visit(Expr.StringLiteral node) {
    return node;
  }

  @Override
  public Expr visit(Expr.Call node) {
    List<Expr> arguments = expressions(node.arguments());
    return arguments == node.arguments()
        ? node
        : new Expr.Call(node.function(), arguments, node.span());
  }

  @Override
  public Expr visit(Expr.Argument node) {
    return node;
  }

  @Override
  public Expr visit(Expr.MapRead node) {
    MapRef map = map(node.map());
    return map == node.map() ? node : new Expr.MapRead(map, node.span());
  }

  @Override
  public Expr visit(Expr.Member node) {
    Expr base = rewrite(node.base());
    return base == node.base()
        ? node
        : new Expr.Member(base, node.access(), node.name(), node.nameSpan(), node.span());
  }

  @Override
  public Expr visit(Expr.NamedConstant node) {
    return node;
  }

  @Override
  public Expr visit(Expr.Element node) {
    Expr base = rewrite(node.base());
    Expr index = rewrite(node.index());
    return base == node.base() && index == node.index()
        ? node
        : new Expr.Element(base, index, node.span());
  }

  @Override
  public Expr visit(Expr.Unknown node) {
    List<Expr> parts = expressions(node.parts());
    return parts == node.parts() ? node : new Expr.Unknown(parts, node.names(), node.span());
  }

  @Override
  public Expr visit(Expr.Tuple node) {
    List<Expr> elements = expressions(node.elements());
    return elements == node.elements() ? node : new Expr.Tuple(node.names(), elements, node.span());
  }

  @Override
  public Expr visit(Expr.Unary node) {
    Expr operand = rewrite(node.operand());
    return operand == node.operand() ? node : new Expr.Unary(node.op(), operand, node.span());
  }

  @Override
  public Expr visit(Expr.Binary node) {
    Expr left = rewrite(node.left());
    Expr right = rewrite(node.right());
    return left == node.left() && right == node.right()
        ? node
        : new Expr.Binary(node.op(), left, right, node.span());
  }

  @Override
  public Expr visit(Expr.VariableRead node) {
    return node;
  }

  @Override
  public Expr visit(Expr.Conditional node) {
    Expr condition = rewrite(node.condition());
    Optional<Expr> then = optional(node.then());
    Expr otherwise = rewrite(node.otherwise());
    return condition == node.condition() && then == node.then() && otherwise == node.otherwise()
        ? node
        : new Expr.Conditional(condition, then, otherwise, node.span());
  }

  @Override
  public Expr visit(Expr.Cast node) {
    Expr operand = rewrite(node.operand());
    TypeReference type = type(node.type());
    return operand == node.operand() && type == node.type()
        ? node
        : new Expr.Cast(type, operand, node.span());
  }

  @Override
  public Expr visit(Expr.OffsetOf node) {
    TypeReference type = type(node.type());
    return type == node.type() ? node : new Expr.OffsetOf(type, node.path(), node.span());
  }

  @Override
  public Expr visit(Expr.SizeOfType node) {
    TypeReference type = type(node.type());
    return type == node.type() ? node : new Expr.SizeOfType(type, node.span());
  }

  @Override
  public Expr visit(Expr.SizeOf node) {
    Expr operand = rewrite(node.operand());
    return operand == node.operand() ? node : new Expr.SizeOf(operand, node.span());
  }

  @Override
  public Expr visit(Expr.Step node) {
    Expr target = rewrite(node.target());
    return target == node.target() ? node : new Expr.Step(node.op(), target, node.span());
  }

  @Override
  public Expr visit(Expr.Block node) {
    Statement.Block statements = block(node.statements());
    Expr value = rewrite(node.value());
    return statements == node.statements() && value == node.value()
        ? node
        : new Expr.Block(statements, value, node.span());
  }

  @Override
  public Statement visit(Statement.Block node) {
    return block(node);
  }

  @Override
  public Statement visit(Statement.If node) {
    Expr condition = rewrite(node.condition());
    Statement.Block then = block(node.then());
    Statement.Block otherwise = block(node.otherwise());
    return condition == node.condition() && then == node.then() && otherwise == node.otherwise()
        ? node
        : new Statement.If(condition, then, otherwise, node.span());
  }

  @Override
  public Statement visit(Statement.Store node) {
    MapRef target = map(node.target());
    Expr value = rewrite(node.value());
    return target == node.target() && value == node.value()
        ? node
        : new Statement.Store(target, value, node.span());
  }

  @Override
  public Statement visit(Statement.Aggregate node) {
    MapRef target = map(node.target());
    Aggregation old = node.aggregation();
    List<Expr> arguments = expressions(old.arguments());
    return target == node.target() && arguments == old.arguments()
        ? node
        : new Statement.Aggregate(
            target, new Aggregation(old.function(), arguments, old.span()), node.span());
  }

  @Override
  public Statement visit(Statement.Delete node) {
    MapRef target = map(node.target());
    return target == node.target() ? node : new Statement.Delete(target, node.span());
  }

  @Override
  public Statement visit(Statement.Return node) {
    Optional<Expr> value = optional(node.value());
    return value == node.value() ? node : new Statement.Return(value, node.span());
  }

  @Override
  public Statement visit(Statement.Evaluate node) {
    Expr expression = rewrite(node.expression());
    return expression == node.expression() ? node : new Statement.Evaluate(expression, node.span());
  }

  @Override
  public Statement visit(Statement.Assign node) {
    Expr value = rewrite(node.value());
    return value == node.value()
        ? node
        : new Statement.Assign(node.variable(), node.variableSpan(), value, node.span());
  }

  @Override
  public Statement visit(Statement.Declare node) {
    Optional<Expr> value = optional(node.value());
    boolean isSameType = node.type().stream().allMatch(type -> type(type) == type);
    return value == node.value() && isSameType
        ? node
        : new Statement.Declare(node.variable(), node.type().map(this::type), value, node.span());
  }

  @Override
  public Statement visit(Statement.Update node) {
    MapRef target = map(node.target());
    Expr value = rewrite(node.value());
    return target == node.target() && value == node.value()
        ? node
        : new Statement.Update(target, node.op(), value, node.span());
  }

  @Override
  public Statement visit(Statement.While node) {
    Expr condition = rewrite(node.condition());
    Statement.Block body = block(node.body());
    return condition == node.condition() && body == node.body()
        ? node
        : new Statement.While(condition, body, node.span());
  }

  @Override
  public Statement visit(Statement.ForRange node) {
    Expr from = rewrite(node.from());
    Expr to = rewrite(node.to());
    Statement.Block body = block(node.body());
    return from == node.from() && to == node.to() && body == node.body()
        ? node
        : new Statement.ForRange(node.variable(), from, to, body, node.span());
  }

  @Override
  public Statement visit(Statement.ForEach node) {
    Statement.Block body = block(node.body());
    return body == node.body()
        ? node
        : new Statement.ForEach(node.variable(), node.map(), body, node.span());
  }

  @Override
  public Statement visit(Statement.Unroll node) {
    Expr count = rewrite(node.count());
    Statement.Block body = block(node.body());
    return count == node.count() && body == node.body()
        ? node
        : new Statement.Unroll(count, body, node.span());
  }

  @Override
  public Statement visit(Statement.Break node) {
    return node;
  }

  @Override
  public Statement visit(Statement.Continue node) {
    return node;
  }
}
