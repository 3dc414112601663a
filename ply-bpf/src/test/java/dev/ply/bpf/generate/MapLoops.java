package dev.ply.bpf.generate;

import dev.ply.builtin.aggregate.AggregateFunctions;
import dev.ply.builtin.catalog.EventBuiltins;
import dev.ply.builtin.catalog.MapBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Aggregation;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * Arbitrary loops over maps, and other reads of them as a whole. What a loop does depends on the
 * entries, not on their order, which the kernel chooses.
 */
final class MapLoops {
  private static final SourceSpan NONE = SourceSpan.NONE;

  /** Maps with a number under each key: plain ones and aggregations. */
  private static final List<String> MAPS = List.of("numbers", "@sum", "@least", "@counted");

  private final TypedExpressions expressions;

  MapLoops(TypedExpressions expressions) {
    this.expressions = expressions;
  }

  /** Returns blocks with loops over maps. */
  Arbitrary<Statement> blocks() {
    return Arbitraries.oneOf(blocks(BinaryOp.ADD), blocks(BinaryOp.XOR));
  }

  /** Changes of {@code $m} by one operator commute. */
  private Arbitrary<Statement> blocks(BinaryOp op) {
    return Combinators.combine(
            expressions.numbers(),
            loops("$kv", 1, op).list().ofMinSize(1).ofMaxSize(3),
            Arbitraries.of(MAPS))
        .as(
            (number, loops, map) -> {
              Statement first = assign("$m", new Expr.Binary(BinaryOp.OR, number, zero(), NONE));
              Statement last =
                  new Statement.Evaluate(
                      new Expr.Call(
                          EventBuiltins.PRINT,
                          List.of(
                              read("$m"),
                              new Expr.Call(
                                  MapBuiltins.LEN,
                                  List.of(new Expr.MapRead(map(map), NONE)),
                                  NONE)),
                          NONE),
                      NONE);
              return block(
                  Stream.of(List.of(first), loops, List.of(last)).flatMap(List::stream).toList());
            });
  }

  /** Updates of an aggregation that is read as a number. */
  Arbitrary<Statement> counts() {
    return expressions
        .numbers()
        .map(
            key ->
                new Statement.Aggregate(
                    map("@counted", key),
                    new Aggregation(AggregateFunctions.COUNT, List.of(), NONE),
                    NONE));
  }

  /** Reads of aggregations as numbers. */
  Arbitrary<Statement> reads() {
    return Combinators.combine(Arbitraries.of("@sum", "@least", "@counted"), expressions.numbers())
        .as(
            (name, key) ->
                new Statement.Store(map("@last"), new Expr.MapRead(map(name, key), NONE), NONE));
  }

  private Arbitrary<Statement> loops(String variable, int depth, BinaryOp op) {
    Arbitrary<Statement> uses = uses(variable, op);
    if (depth > 0) {
      uses =
          Arbitraries.frequencyOf(
              Tuple.of(4, uses),
              Tuple.of(1, loops(variable + depth, depth - 1, op)),
              Tuple.of(1, uses.map(MapLoops::repeated)));
    }
    return Combinators.combine(
            Arbitraries.of(MAPS), uses.list().ofMinSize(1).ofMaxSize(3), conditions(variable))
        .as(
            (map, body, condition) ->
                new Statement.ForEach(
                    variable,
                    map(map),
                    block(Stream.concat(Stream.of(skip(condition)), body.stream()).toList()),
                    NONE));
  }

  private static Statement skip(Expr condition) {
    Statement.Block next = block(List.of(new Statement.Continue(NONE)));
    return new Statement.If(condition, next, block(List.of()), NONE);
  }

  private static Statement repeated(Statement statement) {
    return new Statement.ForRange("$j", zero(), literal(3), block(List.of(statement)), NONE);
  }

  private static Arbitrary<Expr> conditions(String variable) {
    return Combinators.combine(
            Arbitraries.of(BinaryOp.LT, BinaryOp.EQ, BinaryOp.AND), Numbers.longs())
        .as((op, number) -> new Expr.Binary(op, part(variable, 1), literal(number), NONE));
  }

  /** Statements that commute. */
  private Arbitrary<Statement> uses(String variable, BinaryOp op) {
    // Each use of a variable is a node of its own, with its own type.
    return Arbitraries.oneOf(
        Arbitraries.create(
            () -> assign("$m", new Expr.Binary(op, read("$m"), part(variable, 1), NONE))),
        Arbitraries.create(
            () ->
                new Statement.Aggregate(
                    map("@seen", part(variable, 1)),
                    new Aggregation(AggregateFunctions.COUNT, List.of(), NONE),
                    NONE)),
        expressions
            .numbers()
            .map(
                number ->
                    new Statement.Aggregate(
                        map("@looped"),
                        new Aggregation(AggregateFunctions.SUM, List.of(number), NONE),
                        NONE)));
  }

  private static Expr part(String variable, int index) {
    return new Expr.Member(
        read(variable), Expr.Member.Access.DOT, Integer.toString(index), NONE, NONE);
  }

  private static Expr zero() {
    return literal(0);
  }

  private static Expr literal(long value) {
    return new Expr.IntLiteral(value, NONE);
  }

  private static Expr read(String variable) {
    return new Expr.VariableRead(variable, NONE);
  }

  private static Statement assign(String name, Expr value) {
    return new Statement.Assign(name, NONE, value, NONE);
  }

  private static MapRef map(String name, Expr... keys) {
    return new MapRef(name, List.of(keys), NONE);
  }

  private static Statement.Block block(List<? extends Statement> statements) {
    return new Statement.Block(List.copyOf(statements), NONE);
  }
}
