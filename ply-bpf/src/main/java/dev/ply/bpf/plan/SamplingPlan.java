package dev.ply.bpf.plan;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.analysis.AnalyzedScript;
import dev.ply.analysis.typing.MapContent;
import dev.ply.builtin.aggregate.AggregateFunctions;
import dev.ply.builtin.aggregate.TimeSeriesFunction;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import dev.ply.ir.Walker;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.TimerProbe;
import dev.ply.probe.TracerProbe;
import dev.ply.table.TimeSeries.Reduction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which clauses of a script can be sampled: run for one of N hits, with what they add multiplied by
 * N. A clause that consumes what a sampled one has stored for its thread runs for every hit: it
 * finds nothing for the hits that were left out.
 */
public final class SamplingPlan {
  /** A plan for traces that are not sampled. */
  public static final SamplingPlan NONE =
      new SamplingPlan(new IdentityHashMap<>(), Optional.empty());

  private final IdentityHashMap<Clause, Role> roles;
  private final Optional<String> obstacle;

  /** What happens to the hits of a clause while a trace is sampled. */
  public enum Role {
    /** It runs for all of them, and counts them once. */
    COMPLETE,
    /** It runs for some of them, and counts these several times. */
    SAMPLED,
    /** It runs for all of them, and counts those several times whose first half was sampled. */
    PAIRED
  }

  private SamplingPlan(IdentityHashMap<Clause, Role> roles, Optional<String> obstacle) {
    this.roles = roles;
    this.obstacle = obstacle;
  }

  /** Plans the sampling of a script. */
  public static SamplingPlan of(AnalyzedScript script) {
    List<Clause> clauses =
        script.programs().stream()
            .flatMap(program -> program.clauses().stream())
            .map(AnalyzedClause::clause)
            .toList();
    IdentityHashMap<Clause, Role> roles = new IdentityHashMap<>();
    Set<String> storedBySampled = new HashSet<>();
    Set<String> storedByOthers = new HashSet<>();
    for (Clause clause : clauses) {
      Facts facts = new Facts(script, clause);
      boolean isSampled = isOfHits(clause.point()) && facts.doesMoreThanDelete;
      roles.put(clause, isSampled ? Role.SAMPLED : Role.COMPLETE);
      boolean isPaired = PairedClause.taken(clause).findAny().isPresent();
      (isSampled && !isPaired ? storedBySampled : storedByOthers).addAll(facts.stored);
    }
    storedBySampled.removeAll(storedByOthers);
    for (Clause clause : clauses) {
      if (roles.get(clause) != Role.SAMPLED) {
        continue;
      }
      Facts facts = new Facts(script, clause);
      boolean isPaired =
          PairedClause.taken(clause).anyMatch(map -> storedBySampled.contains(map.name()));
      if (isPaired) {
        roles.put(clause, Role.PAIRED);
      }
      Optional<String> obstacle =
          facts.obstacle(map -> isPaired && storedBySampled.contains(map.name()));
      if (obstacle.isPresent()) {
        return new SamplingPlan(new IdentityHashMap<>(), obstacle);
      }
    }
    return roles.containsValue(Role.SAMPLED)
        ? new SamplingPlan(roles, Optional.empty())
        : new SamplingPlan(
            new IdentityHashMap<>(), Optional.of("it has no probe whose hits could be sampled"));
  }

  private static boolean isOfHits(AttachPoint point) {
    return !(point instanceof TimerProbe
        || point instanceof TracerProbe
        || point instanceof AttachPoint.Iterator);
  }

  /** Returns what happens to the hits of a clause. */
  public Role role(Clause clause) {
    return roles.getOrDefault(clause, Role.COMPLETE);
  }

  /** Returns whether some clause is sampled. */
  public boolean samples() {
    return roles.containsValue(Role.SAMPLED);
  }

  /** Returns why the trace cannot be sampled, a clause after "because"; empty if it can. */
  public Optional<String> obstacle() {
    return obstacle;
  }

  /** What matters of a clause. */
  private static final class Facts extends Walker {
    private final AnalyzedScript script;
    private final Set<String> stored = new HashSet<>();
    private final List<MapRef> read = new ArrayList<>();
    private Optional<String> other = Optional.empty();
    private boolean doesMoreThanDelete;

    Facts(AnalyzedScript script, Clause clause) {
      this.script = script;
      walk(clause);
    }

    /** Returns what keeps the clause from being sampled. */
    Optional<String> obstacle(Predicate<MapRef> isOfThePair) {
      return other.or(
          () ->
              read.stream()
                  .filter(map -> !(PairedClause.isOfThread(map) && isOfThePair.test(map)))
                  .findFirst()
                  .map(
                      map ->
                          script.map(map.name()).isInternal()
                              ? "it pairs returns with their calls (latency, entry)"
                              : "a hit reads " + map.name() + ", which earlier hits have left"));
    }

    @Override
    public Walker visit(Expr.MapRead node) {
      read.add(node.map());
      return super.visit(node);
    }

    @Override
    public Walker visit(Statement.Store node) {
      doesMoreThanDelete = true;
      stored.add(node.target().name());
      return super.visit(node);
    }

    @Override
    public Walker visit(Statement.Update node) {
      doesMoreThanDelete = true;
      stored.add(node.target().name());
      read.add(node.target());
      return super.visit(node);
    }

    @Override
    public Walker visit(Statement.ForEach node) {
      read.add(node.map());
      return super.visit(node);
    }

    @Override
    public Walker visit(Statement.Aggregate node) {
      doesMoreThanDelete = true;
      if (node.aggregation().function() == AggregateFunctions.TSERIES
          && script.map(node.target().name()).content() instanceof MapContent.Aggregated content
          && TimeSeriesFunction.reduction(content.shape()) == Reduction.SUM) {
        other = Optional.of("sums of a time series cannot be scaled");
      }
      return super.visit(node);
    }

    @Override
    public Walker visit(Statement.Evaluate node) {
      doesMoreThanDelete = true;
      return super.visit(node);
    }
  }
}
