package dev.ply.bpf.generate;

import dev.ply.analysis.Analyzer;
import dev.ply.bpf.oracle.Scenario;
import dev.ply.bpf.oracle.Scenario.Step;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Clause;
import dev.ply.ir.Script;
import dev.ply.ir.Statement;
import dev.ply.ir.declaration.Configuration;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.TracerProbe;
import dev.ply.target.Target;
import dev.ply.type.Dialect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * Arbitrary scripts of everything the language has, all of them right, and what happens while they
 * run. What fails is shrunk to the clauses, statements, operands and steps that matter.
 */
public final class Scenarios {
  private static final SourceSpan NONE = SourceSpan.NONE;
  private static final int MOST_STEPS = 6;

  private Scenarios() {}

  /** Returns usual scripts with steps, for such surroundings. */
  public static Arbitrary<Scenario> in(Surroundings surroundings) {
    return in(surroundings, Extent.USUAL);
  }

  /** Returns scripts with steps, for such surroundings. */
  public static Arbitrary<Scenario> in(Surroundings surroundings, Extent extent) {
    List<Arbitrary<Step>> steps = new ArrayList<>();
    for (AttachPoint point : Stage.FIRED) {
      steps.add(Fixed.of(Firings.at(point, surroundings).map(Step.Fire::new)));
    }
    steps.add(Arbitraries.just(new Step.Second()));
    return shrinking(
        Combinators.combine(
                lists(surroundings, extent),
                dialect(),
                Arbitraries.oneOf(steps).list().ofMaxSize(MOST_STEPS))
            .as((clauses, types, happens) -> new Scenario(script(clauses, types), happens)),
        surroundings);
  }

  /** Returns these scenarios, which become smaller by what is left out of them. */
  static Arbitrary<Scenario> shrinking(Arbitrary<Scenario> scenarios, Surroundings surroundings) {
    Target target = Stage.target(surroundings.architecture());
    return StructuralShrinking.of(
        scenarios,
        scenario -> SmallerScenarios.of(scenario).filter(smaller -> isRight(smaller, target)),
        SmallerScenarios::size);
  }

  /** Returns usual scripts alone. */
  public static Arbitrary<Script> scripts(Surroundings surroundings) {
    return scripts(surroundings, Extent.USUAL);
  }

  /** Returns scripts alone. */
  public static Arbitrary<Script> scripts(Surroundings surroundings, Extent extent) {
    Arbitrary<Script> scripts =
        Combinators.combine(lists(surroundings, extent), dialect()).as(Scenarios::script);
    Target target = Stage.target(surroundings.architecture());
    return StructuralShrinking.of(
        scripts,
        script ->
            SmallerScenarios.of(new Scenario(script, List.of()))
                .filter(smaller -> isRight(smaller, target))
                .map(Scenario::script),
        script -> SmallerScenarios.size(new Scenario(script, List.of())));
  }

  /** Returns ply's types of integers and bpftrace's. */
  static Arbitrary<Dialect> dialect() {
    return Arbitraries.of(Dialect.class);
  }

  /** Returns a script of a clause that gives maps their types, then these clauses. */
  static Script script(List<Clause> clauses, Dialect dialect) {
    List<Clause> all = new ArrayList<>();
    Statement.Block declarations = new Statement.Block(TypedStatements.declarations(), NONE);
    all.add(new Clause(new TracerProbe.Begin(), NONE, Optional.empty(), declarations, NONE));
    all.addAll(clauses);
    return new Script(all).withConfiguration(new Configuration(Map.of(), dialect));
  }

  private static Arbitrary<List<Clause>> lists(Surroundings surroundings, Extent extent) {
    List<Tuple.Tuple2<Integer, Arbitrary<Clause>>> clauses = new ArrayList<>();
    Stage.FIRED.forEach(point -> clauses.add(Tuple.of(4, clauses(point, surroundings, extent))));
    Stage.CLOCKS.forEach(point -> clauses.add(Tuple.of(1, clauses(point, surroundings, extent))));
    clauses.add(Tuple.of(1, clauses(new TracerProbe.Begin(), surroundings, extent)));
    clauses.add(Tuple.of(1, clauses(new TracerProbe.End(), surroundings, extent)));
    return Fixed.of(Arbitraries.frequencyOf(clauses))
        .list()
        .ofMinSize(1)
        .ofMaxSize(extent.clauses());
  }

  private static Arbitrary<Clause> clauses(
      AttachPoint point, Surroundings surroundings, Extent extent) {
    TypedExpressions expressions =
        new TypedExpressions(new Vocabulary(point, surroundings), extent);
    return expressions.afresh(
        Combinators.combine(
                expressions.numbers().optional(0.3),
                new TypedStatements(expressions, extent).blocks(extent.blocks()))
            .as((predicate, body) -> new Clause(point, NONE, predicate, body, NONE)));
  }

  private static boolean isRight(Scenario scenario, Target target) {
    try {
      new Analyzer(target).analyze(scenario.script());
      return true;
    } catch (CompilationException e) {
      return false;
    }
  }
}
