package dev.ply.bpf.generate;

import dev.ply.bpf.oracle.Scenario;
import dev.ply.bpf.oracle.Scenario.Step;
import dev.ply.bpf.simulate.Circumstances;
import dev.ply.bpf.simulate.Firing;
import dev.ply.ir.Clause;
import dev.ply.ir.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What a scenario becomes if one thing is left out of it or made plainer. */
final class SmallerScenarios {
  private SmallerScenarios() {}

  /** Returns such scenarios, those first that leave out most; not all of them need be right. */
  static Stream<Scenario> of(Scenario scenario) {
    List<Step> steps = scenario.steps();
    List<Clause> clauses = scenario.script().clauses();
    Stream<Scenario> fewerClauses =
        without(clauses).filter(rest -> !rest.isEmpty()).map(rest -> with(scenario, rest));
    Stream<Scenario> fewerSteps = without(steps).map(rest -> new Scenario(scenario.script(), rest));
    Stream<Scenario> smallerClauses =
        IntStream.range(0, clauses.size())
            .boxed()
            .flatMap(i -> clause(clauses.get(i)).map(one -> replace(clauses, i, one)))
            .map(changed -> with(scenario, changed));
    Stream<Scenario> plainerSteps =
        IntStream.range(0, steps.size())
            .boxed()
            .flatMap(i -> step(steps.get(i)).map(one -> replace(steps, i, one)))
            .map(changed -> new Scenario(scenario.script(), changed));
    return Stream.of(fewerClauses, fewerSteps, smallerClauses, plainerSteps)
        .flatMap(candidates -> candidates);
  }

  private static Scenario with(Scenario scenario, List<Clause> clauses) {
    return new Scenario(scenario.script().withClauses(clauses), scenario.steps());
  }

  /** Returns the list without one half or the other, then without one element each. */
  static <T> Stream<List<T>> without(List<T> list) {
    int half = list.size() / 2;
    Stream<List<T>> halves =
        half > 1
            ? Stream.of(list.subList(half, list.size()), list.subList(0, half))
            : Stream.empty();
    Stream<List<T>> single =
        IntStream.range(0, list.size())
            .mapToObj(
                i -> {
                  List<T> rest = new ArrayList<>(list);
                  rest.remove(i);
                  return rest;
                });
    return Stream.concat(halves, single);
  }

  static <T> List<T> replace(List<T> list, int index, T element) {
    List<T> changed = new ArrayList<>(list);
    changed.set(index, element);
    return changed;
  }

  private static Stream<Clause> clause(Clause clause) {
    Stream<Clause> plain =
        clause.predicate().isPresent()
            ? Stream.of(with(clause, Optional.empty(), clause.body()))
            : Stream.empty();
    Stream<Clause> predicates =
        clause.predicate().stream()
            .flatMap(SmallerExpressions::of)
            .map(smaller -> with(clause, Optional.of(smaller), clause.body()));
    Stream<Clause> bodies =
        SmallerStatements.of(clause.body())
            .map(body -> with(clause, clause.predicate(), (Statement.Block) body));
    return Stream.of(plain, bodies, predicates).flatMap(candidates -> candidates);
  }

  private static Clause with(
      Clause clause, Optional<dev.ply.ir.Expr> predicate, Statement.Block body) {
    return new Clause(clause.point(), clause.pointSpan(), predicate, body, clause.span());
  }

  /** Numbers and texts of a firing become zero and empty, one after the other. */
  private static Stream<Step> step(Step step) {
    if (!(step instanceof Step.Fire fire)) {
      return Stream.empty();
    }
    Firing firing = fire.firing();
    List<Firing> plainer = new ArrayList<>();
    plainer.add(firing.pid(1));
    plainer.add(firing.user(0, 0));
    plainer.add(firing.comm("a"));
    plainer.add(firing.cpu(0));
    plainer.add(firing.retval(0));
    firing.arguments().keySet().stream().sorted().forEach(i -> plainer.add(firing.arg(i, 0)));
    firing
        .fields()
        .forEach(
            (name, value) -> {
              boolean isPointer =
                  firing.placedTexts().keySet().stream().anyMatch(at -> value.equals(at.address()));
              if (!isPointer) {
                plainer.add(value instanceof Long ? firing.field(name, 0) : firing.field(name, ""));
              }
            });
    firing
        .placedTexts()
        .keySet()
        .forEach(at -> plainer.add(firing.text(at.space(), at.address(), "")));
    return plainer.stream().map(Step.Fire::new);
  }

  /** Measures a scenario: what it is made of, and what is set to anything but nothing. */
  static long size(Scenario scenario) {
    long size = 0;
    for (Clause clause : scenario.script().clauses()) {
      size += 10 + clause.predicate().map(p -> 2 + SmallerExpressions.size(p)).orElse(0L);
      size += SmallerStatements.size(clause.body());
    }
    for (Step step : scenario.steps()) {
      size += 100 + (step instanceof Step.Fire fire ? size(fire.firing()) : 0);
    }
    return size;
  }

  private static long size(Firing firing) {
    Circumstances who = firing.circumstances();
    long size = who.pid() == 1 && who.tid() == 1 ? 0 : 1;
    size += who.comm().equals("a") ? 0 : 1;
    size += (who.uid() == 0 && who.gid() == 0 ? 0 : 1) + (who.cpu() == 0 ? 0 : 1);
    size += firing.returned() == 0 ? 0 : 1;
    size += firing.arguments().values().stream().filter(value -> value != 0).count();
    size +=
        firing.fields().values().stream()
            .filter(value -> !value.equals(0L) && !value.equals(""))
            .count();
    return size + firing.placedTexts().values().stream().filter(text -> !text.isEmpty()).count();
  }
}
