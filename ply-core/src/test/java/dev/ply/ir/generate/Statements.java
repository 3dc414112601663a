package dev.ply.ir.generate;

import dev.ply.builtin.aggregate.AggregateFunctions;
import dev.ply.builtin.catalog.EventBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Aggregation;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Arbitrary statements. */
public final class Statements {
  private static final int DEPTH = 1;

  private Statements() {}

  /** Returns statements up to a few levels deep. */
  public static Arbitrary<Statement> any() {
    return any(DEPTH);
  }

  /** Returns blocks of a few statements, or of none. */
  public static Arbitrary<Statement.Block> blocks() {
    return blocks(any());
  }

  private static Arbitrary<Statement.Block> blocks(Arbitrary<Statement> statements) {
    return statements.list().ofMaxSize(3).map(Statements::block);
  }

  private static Statement.Block block(List<Statement> statements) {
    return new Statement.Block(statements, SourceSpan.NONE);
  }

  private static Arbitrary<Statement> any(int depth) {
    if (depth == 0) {
      return simple();
    }
    Arbitrary<Statement.Block> blocks = blocks(any(depth - 1));
    return Arbitraries.frequencyOf(
        Tuple.of(4, simple()),
        Tuple.of(1, blocks.map(block -> block)),
        Tuple.of(2, conditions(blocks)),
        Tuple.of(1, loops(blocks)));
  }

  private static Arbitrary<Statement> conditions(Arbitrary<Statement.Block> blocks) {
    return Combinators.combine(Expressions.any(), blocks, blocks)
        .as(
            (condition, then, otherwise) ->
                new Statement.If(condition, then, otherwise, SourceSpan.NONE));
  }

  private static Arbitrary<Statement> loops(Arbitrary<Statement.Block> blocks) {
    return Arbitraries.oneOf(
        Combinators.combine(Expressions.any(), blocks)
            .as((condition, body) -> new Statement.While(condition, body, SourceSpan.NONE)),
        Combinators.combine(Names.variables(), Expressions.any(), Expressions.any(), blocks)
            .as(
                (variable, from, to, body) ->
                    new Statement.ForRange(variable, from, to, body, SourceSpan.NONE)),
        Combinators.combine(Arbitraries.of(Names.VARIABLES), Names.aggregations(), blocks)
            .as(
                (variable, map, body) ->
                    new Statement.ForEach(
                        variable,
                        new MapRef(map, List.of(), SourceSpan.NONE),
                        body,
                        SourceSpan.NONE)),
        Combinators.combine(Expressions.any(), blocks)
            .as((count, body) -> new Statement.Unroll(count, body, SourceSpan.NONE)));
  }

  /** Returns assignments to all variables, which every script has somewhere. */
  static List<Statement> assignments() {
    return Names.VARIABLES.stream()
        .<Statement>map(
            name ->
                new Statement.Assign(
                    name,
                    SourceSpan.NONE,
                    new Expr.IntLiteral(1, SourceSpan.NONE),
                    SourceSpan.NONE))
        .toList();
  }

  private static Arbitrary<Statement> simple() {
    return Arbitraries.oneOf(
        Combinators.combine(Names.variables(), Expressions.any())
            .as(
                (name, value) ->
                    new Statement.Assign(name, SourceSpan.NONE, value, SourceSpan.NONE)),
        Combinators.combine(
                Names.variables(),
                Expressions.types().optional(0.3),
                Expressions.any().optional(0.7))
            .as(
                (name, type, value) ->
                    new Statement.Declare(name, type.map(known -> known), value, SourceSpan.NONE)),
        Combinators.combine(
                targets(),
                Arbitraries.of(BinaryOp.class)
                    .filter(
                        op ->
                            op.kind() == BinaryOp.Kind.ARITHMETIC
                                || op.kind() == BinaryOp.Kind.SHIFT),
                Expressions.any())
            .as((map, op, value) -> new Statement.Update(map, op, value, SourceSpan.NONE)),
        Arbitraries.just(new Statement.Break(SourceSpan.NONE)),
        Arbitraries.just(new Statement.Continue(SourceSpan.NONE)),
        Combinators.combine(targets(), Expressions.any())
            .as((map, value) -> new Statement.Store(map, value, SourceSpan.NONE)),
        Combinators.combine(targets().filter(MapRef::isAggregation), aggregations())
            .as((map, value) -> new Statement.Aggregate(map, value, SourceSpan.NONE)),
        Expressions.entries().map(map -> new Statement.Delete(map, SourceSpan.NONE)),
        Expressions.any()
            .filter(value -> !(value instanceof Expr.Conditional))
            .map(value -> new Statement.Evaluate(value, SourceSpan.NONE)),
        Expressions.any().optional().map(value -> new Statement.Return(value, SourceSpan.NONE)),
        wholeMaps());
  }

  /** Returns what can be assigned to: entries, and keyless maps that may aggregate. */
  private static Arbitrary<MapRef> targets() {
    return Arbitraries.oneOf(
        Expressions.entries(),
        Names.aggregations().map(name -> new MapRef(name, List.of(), SourceSpan.NONE)));
  }

  private static Arbitrary<Aggregation> aggregations() {
    return Arbitraries.oneOf(
        Arbitraries.just(new Aggregation(AggregateFunctions.COUNT, List.of(), SourceSpan.NONE)),
        Expressions.any()
            .map(value -> new Aggregation(AggregateFunctions.SUM, List.of(value), SourceSpan.NONE)),
        Expressions.any()
            .map(
                value ->
                    new Aggregation(AggregateFunctions.QUANTIZE, List.of(value), SourceSpan.NONE)));
  }

  /** A name alone is a map as a whole only where the script has an entry of that map, too. */
  private static Arbitrary<Statement> wholeMaps() {
    return Expressions.entries()
        .map(
            map -> {
              MapRef whole = new MapRef(map.name(), List.of(), SourceSpan.NONE);
              Expr read = new Expr.MapRead(whole, SourceSpan.NONE);
              Expr print = new Expr.Call(EventBuiltins.PRINT, List.of(read), SourceSpan.NONE);
              return block(
                  List.of(
                      new Statement.Delete(map, SourceSpan.NONE),
                      new Statement.Evaluate(print, SourceSpan.NONE)));
            });
  }
}
