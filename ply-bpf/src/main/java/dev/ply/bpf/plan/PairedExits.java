package dev.ply.bpf.plan;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.analysis.AnalyzedProgram;
import dev.ply.analysis.AnalyzedScript;
import dev.ply.bpf.plan.SystemCallPlan.End;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.Statement;
import dev.ply.ir.Walker;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The clauses on exits of system calls that do nothing unless the entry of the call was seen: a
 * {@link PairedClause} for whose map only entries of system calls store.
 *
 * <p>They need no exit of a call that was in flight when they were attached, that seccomp(2)
 * refused before its entry was reported, or that a new thread returns from: a trampoline reports
 * none of these.
 */
final class PairedExits {
  /** The maps that something else than the entry of a system call stores in. */
  private final Set<String> stored = new HashSet<>();

  PairedExits(AnalyzedScript script) {
    for (AnalyzedProgram program : script.programs()) {
      boolean isEntry =
          program.sites().stream()
              .allMatch(site -> SystemCallPlan.endOf(site.point()).equals(Optional.of(End.ENTRY)));
      if (!isEntry) {
        for (AnalyzedClause clause : program.clauses()) {
          new Stores().collect(clause.clause());
        }
      }
    }
  }

  /** Returns whether none of these clauses needs an exit whose entry was not seen. */
  boolean areAll(List<AnalyzedClause> clauses) {
    return clauses.stream().allMatch(clause -> isPaired(clause.clause()));
  }

  private boolean isPaired(Clause clause) {
    return PairedClause.taken(clause).anyMatch(map -> !stored.contains(map.name()));
  }

  /** Collects the maps that a clause stores in. */
  private final class Stores extends Walker {
    void collect(Clause clause) {
      walk(clause);
    }

    @Override
    public Walker visit(Statement.Store node) {
      stored.add(node.target().name());
      return super.visit(node);
    }

    @Override
    public Walker visit(Statement.Update node) {
      stored.add(node.target().name());
      return super.visit(node);
    }

    @Override
    public Walker visit(Statement.Aggregate node) {
      stored.add(node.target().name());
      return super.visit(node);
    }

    @Override
    public Walker visit(Expr.Step node) {
      if (node.target() instanceof Expr.MapRead read) {
        stored.add(read.map().name());
      }
      return super.visit(node);
    }
  }
}
