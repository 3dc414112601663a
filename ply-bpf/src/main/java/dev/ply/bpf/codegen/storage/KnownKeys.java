package dev.ply.bpf.codegen.storage;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.analysis.AnalyzedScript;
import dev.ply.analysis.typing.MapContent;
import dev.ply.analysis.typing.MapSymbol;
import dev.ply.bpf.plan.PlannedProgram;
import dev.ply.ir.Expr;
import dev.ply.ir.Statement;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The aggregations whose keys are all known at compile time: those without keys, those of
 * constants, {@code @["read"]}, and those implied by conditions, {@code / pid == 42 /}. Each of
 * their keys has a fixed offset, without a lookup.
 */
final class KnownKeys {
  private final AnalyzedScript script;
  private final Map<String, Set<ByteBuffer>> found = new HashMap<>();

  /** The maps with other keys as well. */
  private final Set<String> open = new HashSet<>();

  /** Finds the keys of all aggregations of the programs and their alternatives. */
  KnownKeys(AnalyzedScript script, List<PlannedProgram> programs) {
    this.script = script;
    for (PlannedProgram program : programs) {
      for (Optional<PlannedProgram> next = Optional.of(program);
          next.isPresent();
          next = next.get().next()) {
        collect(next.get());
      }
    }
  }

  /** Returns the keys of a map in order of their offsets; empty if some are unknown. */
  List<ByteBuffer> of(MapSymbol symbol) {
    boolean isKnown =
        !(symbol.content() instanceof MapContent.Plain)
            // A fixed key cannot be removed and is always present.
            && !symbol.keysAreObserved()
            && !open.contains(symbol.name());
    return isKnown ? List.copyOf(found.getOrDefault(symbol.name(), Set.of())) : List.of();
  }

  private void collect(PlannedProgram program) {
    for (AnalyzedClause clause : program.clauses()) {
      KnownValues values = KnownValues.of(program, clause, script.target());
      collect(clause.clause().body(), values);
      for (Expr expr : clause.expressions()) {
        if (expr instanceof Expr.Block block) {
          collect(block.statements(), values);
        }
      }
    }
  }

  private void collect(Statement statement, KnownValues values) {
    if (statement instanceof Statement.Block block) {
      block.statements().forEach(part -> collect(part, values));
    } else if (statement instanceof Statement.If node) {
      collect(node.then(), values.where(node.condition()));
      collect(node.otherwise(), values);
    } else if (statement instanceof Statement.While node) {
      collect(node.body(), values.where(node.condition()));
    } else if (statement instanceof Statement.ForRange node) {
      collect(node.body(), values);
    } else if (statement instanceof Statement.ForEach node) {
      collect(node.body(), values);
    } else if (statement instanceof Statement.Unroll node) {
      collect(node.body(), values);
    } else if (statement instanceof Statement.Aggregate node) {
      String map = node.target().name();
      values
          .key(script.map(map), node.target())
          .ifPresentOrElse(
              key -> found.computeIfAbsent(map, unused -> new LinkedHashSet<>()).add(key),
              () -> open.add(map));
    }
  }
}
