package dev.ply.analysis;

import dev.ply.analysis.typing.MapSymbol;
import dev.ply.builtin.AggregateFunction;
import dev.ply.ir.Statement;
import dev.ply.ir.Walker;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.TimerProbe;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the maps that count samples: all that updates them is {@code count()} in clauses of {@code
 * profile} probes of one period. Each count then stands for that much CPU time.
 */
final class SamplingPeriods {
  private final Map<String, Set<Optional<Duration>>> periods = new HashMap<>();

  private SamplingPeriods() {}

  /** Returns the maps with their periods. */
  static List<MapSymbol> apply(List<MapSymbol> maps, List<AnalyzedProgram> programs) {
    SamplingPeriods all = new SamplingPeriods();
    for (AnalyzedProgram program : programs) {
      program.clauses().forEach(clause -> all.new Counts(clause).walk(clause.clause()));
    }
    return maps.stream().map(map -> map.sampledEvery(all.of(map.name()))).toList();
  }

  private Optional<Duration> of(String map) {
    Set<Optional<Duration>> found = periods.getOrDefault(map, Set.of());
    return found.size() == 1 ? found.iterator().next() : Optional.empty();
  }

  /** What a clause counts. */
  private final class Counts extends Walker {
    private final Optional<Duration> period;

    Counts(AnalyzedClause clause) {
      AttachPoint point = clause.clause().point();
      this.period =
          point instanceof TimerProbe.Profile profile
              ? Optional.of(profile.rate().period())
              : Optional.empty();
    }

    @Override
    public Walker visit(Statement.Aggregate node) {
      boolean isCount =
          AggregateFunction.of(node.aggregation()).canonicalName().equals("count")
              && node.aggregation().arguments().isEmpty();
      periods
          .computeIfAbsent(node.target().name(), unused -> new HashSet<>())
          .add(isCount ? period : Optional.empty());
      return super.visit(node);
    }
  }
}
