package dev.ply.bpf.generate;

import static dev.ply.bpf.generate.SmallerScenarios.replace;
import static dev.ply.bpf.generate.SmallerScenarios.without;

import dev.ply.ir.Aggregation;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What a statement becomes if one thing is left out of it or made plainer. */
final class SmallerStatements implements Statement.Visitor<Stream<Statement>> {
  private static final SmallerStatements VISITOR = new SmallerStatements();

  static Stream<Statement> of(Statement statement) {
    return statement.accept(VISITOR);
  }

  @Override
  public Stream<Statement> visit(Statement.Block node) {
    List<Statement> list = node.statements();
    Stream<List<Statement>> smaller =
        IntStream.range(0, list.size())
            .boxed()
            .flatMap(i -> of(list.get(i)).map(one -> replace(list, i, one)));
    return Stream.concat(without(list), smaller)
        .map(statements -> new Statement.Block(statements, node.span()));
  }

  @Override
  public Stream<Statement> visit(Statement.If node) {
    Stream<Statement> parts = Stream.of(node.then(), node.otherwise());
    Stream<Statement> then =
        of(node.then())
            .map(
                block ->
                    new Statement.If(
                        node.condition(), (Statement.Block) block, node.otherwise(), node.span()));
    Stream<Statement> otherwise =
        of(node.otherwise())
            .map(
                block ->
                    new Statement.If(
                        node.condition(), node.then(), (Statement.Block) block, node.span()));
    Stream<Statement> conditions =
        SmallerExpressions.of(node.condition())
            .map(one -> new Statement.If(one, node.then(), node.otherwise(), node.span()));
    return Stream.of(parts, then, otherwise, conditions).flatMap(candidates -> candidates);
  }

  @Override
  public Stream<Statement> visit(Statement.Store node) {
    return Stream.concat(
        SmallerExpressions.of(node.value())
            .map(value -> new Statement.Store(node.target(), value, node.span())),
        keys(node.target()).map(map -> new Statement.Store(map, node.value(), node.span())));
  }

  @Override
  public Stream<Statement> visit(Statement.Aggregate node) {
    return Stream.concat(
        aggregation(node.aggregation())
            .map(one -> new Statement.Aggregate(node.target(), one, node.span())),
        keys(node.target())
            .map(map -> new Statement.Aggregate(map, node.aggregation(), node.span())));
  }

  private static Stream<Aggregation> aggregation(Aggregation aggregation) {
    // Constants after the value stay: another use of the map has the same.
    return SmallerExpressions.ofOne(aggregation.arguments())
        .filter(
            smaller ->
                smaller.size() < 2
                    || smaller
                        .subList(1, smaller.size())
                        .equals(aggregation.arguments().subList(1, aggregation.arguments().size())))
        .map(smaller -> new Aggregation(aggregation.function(), smaller, aggregation.span()));
  }

  @Override
  public Stream<Statement> visit(Statement.Delete node) {
    return keys(node.target()).map(map -> new Statement.Delete(map, node.span()));
  }

  @Override
  public Stream<Statement> visit(Statement.Return node) {
    return node.value().isPresent() ? Stream.of(new Statement.Return(node.span())) : Stream.empty();
  }

  @Override
  public Stream<Statement> visit(Statement.Evaluate node) {
    return SmallerExpressions.of(node.expression())
        .filter(one -> one instanceof Expr.Call)
        .map(one -> new Statement.Evaluate(one, node.span()));
  }

  @Override
  public Stream<Statement> visit(Statement.Assign node) {
    return SmallerExpressions.of(node.value())
        .map(
            value ->
                new Statement.Assign(node.variable(), node.variableSpan(), value, node.span()));
  }

  @Override
  public Stream<Statement> visit(Statement.Declare node) {
    return node.value().stream()
        .flatMap(SmallerExpressions::of)
        .map(
            value ->
                new Statement.Declare(
                    node.variable(), node.type(), Optional.of(value), node.span()));
  }

  @Override
  public Stream<Statement> visit(Statement.Update node) {
    return Stream.concat(
        SmallerExpressions.of(node.value())
            .map(value -> new Statement.Update(node.target(), node.op(), value, node.span())),
        keys(node.target())
            .map(map -> new Statement.Update(map, node.op(), node.value(), node.span())));
  }

  @Override
  public Stream<Statement> visit(Statement.While node) {
    return Stream.concat(
        of(node.body())
            .map(
                body -> new Statement.While(node.condition(), (Statement.Block) body, node.span())),
        SmallerExpressions.of(node.condition())
            .map(one -> new Statement.While(one, node.body(), node.span())));
  }

  @Override
  public Stream<Statement> visit(Statement.ForRange node) {
    return Stream.concat(
        of(node.body())
            .map(
                body ->
                    new Statement.ForRange(
                        node.variable(),
                        node.from(),
                        node.to(),
                        (Statement.Block) body,
                        node.span())),
        SmallerExpressions.of(node.to())
            .map(
                one ->
                    new Statement.ForRange(
                        node.variable(), node.from(), one, node.body(), node.span())));
  }

  @Override
  public Stream<Statement> visit(Statement.ForEach node) {
    return of(node.body())
        .map(
            body ->
                new Statement.ForEach(
                    node.variable(), node.map(), (Statement.Block) body, node.span()));
  }

  @Override
  public Stream<Statement> visit(Statement.Unroll node) {
    return of(node.body())
        .map(body -> new Statement.Unroll(node.count(), (Statement.Block) body, node.span()));
  }

  @Override
  public Stream<Statement> visit(Statement.Break node) {
    return Stream.empty();
  }

  @Override
  public Stream<Statement> visit(Statement.Continue node) {
    return Stream.empty();
  }

  static Stream<MapRef> keys(MapRef map) {
    return SmallerExpressions.ofOne(map.keys())
        .map(keys -> new MapRef(map.name(), keys, map.span()));
  }

  static long size(Statement statement) {
    if (statement instanceof Statement.Block block) {
      return 1 + block.statements().stream().mapToLong(SmallerStatements::size).sum();
    }
    if (statement instanceof Statement.If node) {
      return 5
          + SmallerExpressions.size(node.condition())
          + size(node.then())
          + size(node.otherwise());
    }
    if (statement instanceof Statement.Store store) {
      return 5 + size(store.target()) + SmallerExpressions.size(store.value());
    }
    if (statement instanceof Statement.Aggregate aggregate) {
      long values =
          aggregate.aggregation().arguments().stream().mapToLong(SmallerExpressions::size).sum();
      return 5 + size(aggregate.target()) + values;
    }
    if (statement instanceof Statement.Assign assign) {
      return 5 + SmallerExpressions.size(assign.value());
    }
    if (statement instanceof Statement.Declare declare) {
      return 5 + declare.value().map(SmallerExpressions::size).orElse(0L);
    }
    if (statement instanceof Statement.Update update) {
      return 5 + size(update.target()) + SmallerExpressions.size(update.value());
    }
    if (statement instanceof Statement.While loop) {
      return 6 + SmallerExpressions.size(loop.condition()) + size(loop.body());
    }
    if (statement instanceof Statement.ForRange loop) {
      return 6
          + SmallerExpressions.size(loop.from())
          + SmallerExpressions.size(loop.to())
          + size(loop.body());
    }
    if (statement instanceof Statement.ForEach loop) {
      return 6 + size(loop.map()) + size(loop.body());
    }
    if (statement instanceof Statement.Unroll loop) {
      return 6 + SmallerExpressions.size(loop.count()) + size(loop.body());
    }
    if (statement instanceof Statement.Delete delete) {
      return 5 + size(delete.target());
    }
    return statement instanceof Statement.Evaluate evaluate
        ? 5 + SmallerExpressions.size(evaluate.expression())
        : 5;
  }

  static long size(MapRef map) {
    return 1 + map.keys().stream().mapToLong(SmallerExpressions::size).sum();
  }
}
