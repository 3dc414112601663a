package dev.ply.bpf.plan;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.analysis.AnalyzedProgram;
import dev.ply.analysis.AnalyzedScript;
import dev.ply.bpf.plan.SystemCallPlan.End;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.IrPrinter;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import dev.ply.ir.Walker;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The clauses on exits of system calls that do nothing unless the entry of the call was seen:
 * {@code / @start[tid] / { …; delete(@start[tid]); }}, where only entries of system calls store in
 * the map.
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
    return clause.predicate().isPresent()
        && conditions(clause.predicate().get())
            .anyMatch(
                map -> isOfThread(map) && !stored.contains(map.name()) && deletes(clause, map));
  }

  /** Returns the entries of maps that a predicate requires to be other than zero. */
  private static Stream<MapRef> conditions(Expr predicate) {
    if (predicate instanceof Expr.Binary both && both.op() == BinaryOp.LOGICAL_AND) {
      return Stream.concat(conditions(both.left()), conditions(both.right()));
    }
    if (predicate instanceof Expr.Binary differs
        && differs.op() == BinaryOp.NE
        && differs.right() instanceof Expr.IntLiteral number
        && number.value() == 0) {
      return conditions(differs.left());
    }
    return predicate instanceof Expr.MapRead read ? Stream.of(read.map()) : Stream.empty();
  }

  private static boolean isOfThread(MapRef map) {
    return map.keys().stream()
        .anyMatch(key -> key instanceof Expr.Call call && call.function() == ThreadBuiltins.KPID);
  }

  /** A return, or a statement that may contain one, must not come first. */
  private static boolean deletes(Clause clause, MapRef map) {
    for (Statement statement : clause.body().statements()) {
      if (statement instanceof Statement.Delete delete && text(delete.target()).equals(text(map))) {
        return true;
      }
      if (!(statement instanceof Statement.Delete
          || statement instanceof Statement.Assign
          || statement instanceof Statement.Store
          || statement instanceof Statement.Aggregate
          || statement instanceof Statement.Evaluate)) {
        return false;
      }
    }
    return false;
  }

  private static String text(MapRef map) {
    return IrPrinter.print(new Expr.MapRead(map, map.span()));
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
