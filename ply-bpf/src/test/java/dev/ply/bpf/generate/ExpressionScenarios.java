package dev.ply.bpf.generate;

import dev.ply.bpf.oracle.Scenario;
import dev.ply.bpf.oracle.Scenario.Step;
import dev.ply.builtin.aggregate.AggregateFunctions;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Aggregation;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import dev.ply.probe.AttachPoint;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * Arbitrary expressions, some of more operands than there are registers, each wherever a number may
 * stand: stored, tested, as a key of maps of both kinds, added up and distributed.
 */
public final class ExpressionScenarios {
  private static final SourceSpan NONE = SourceSpan.NONE;
  private static final int MOST_OPERANDS = 25;
  private static final int MOST_WAITING = 120;
  private static final int DEEPEST = 7;

  private ExpressionScenarios() {}

  /** One expression where it can be seen, and what happens there. */
  private record Part(Clause clause, Step step) {}

  /** Returns scenarios with an expression on each of {@link Stage#FIRED}, which happens once. */
  public static Arbitrary<Scenario> in(Surroundings surroundings) {
    List<Arbitrary<Part>> parts =
        Stage.FIRED.stream().map(point -> parts(point, surroundings)).toList();
    return Scenarios.shrinking(
        Combinators.combine(Combinators.combine(parts).as(all -> all), Scenarios.dialect())
            .as(
                (all, dialect) ->
                    new Scenario(
                        Scenarios.script(all.stream().map(Part::clause).toList(), dialect),
                        all.stream().map(Part::step).toList())),
        surroundings);
  }

  private static Arbitrary<Part> parts(AttachPoint point, Surroundings surroundings) {
    Vocabulary vocabulary = new Vocabulary(point, surroundings);
    TypedExpressions expressions = new TypedExpressions(vocabulary, Extent.USUAL);
    Trees ofParts = new Trees(expressions.parts());
    Trees ofBuiltIns = new Trees(Arbitraries.of(vocabulary.numbers()));
    String name = "at" + Stage.FIRED.indexOf(point);
    return Fixed.of(
        Combinators.combine(
                expressions.afresh(
                    Arbitraries.frequencyOf(
                        Tuple.of(50, ofParts.ofAnyShape(MOST_OPERANDS)),
                        Tuple.of(5, ofParts.leaningRight(MOST_WAITING)),
                        Tuple.of(1, ofBuiltIns.full(DEEPEST)))),
                Firings.at(point, surroundings))
            .as(
                (expr, firing) -> {
                  Statement.Block body = new Statement.Block(everywhere(name, expr), NONE);
                  return new Part(
                      new Clause(point, NONE, Optional.empty(), body, NONE), new Step.Fire(firing));
                }));
  }

  private static List<Statement> everywhere(String name, Expr expr) {
    Expr one = new Expr.IntLiteral(1, NONE);
    Expr two = new Expr.IntLiteral(2, NONE);
    MapRef truth = map(name + "_truth", one);
    return List.of(
        new Statement.Store(map(name + "_value", one), expr, NONE),
        new Statement.If(expr, block(truth, one), block(truth, two), NONE),
        new Statement.Store(map(name + "_key", expr), one, NONE),
        new Statement.Aggregate(
            map("@" + name + "_keys", expr, one),
            new Aggregation(AggregateFunctions.COUNT, List.of(), NONE),
            NONE),
        new Statement.Aggregate(
            map("@" + name + "_sum"),
            new Aggregation(AggregateFunctions.SUM, List.of(expr), NONE),
            NONE),
        new Statement.Aggregate(
            map("@" + name + "_powers", expr),
            new Aggregation(AggregateFunctions.QUANTIZE, List.of(expr), NONE),
            NONE));
  }

  private static Statement.Block block(MapRef target, Expr value) {
    return new Statement.Block(List.of(new Statement.Store(target, value, NONE)), NONE);
  }

  private static MapRef map(String name, Expr... keys) {
    return new MapRef(name, List.of(keys), NONE);
  }
}
