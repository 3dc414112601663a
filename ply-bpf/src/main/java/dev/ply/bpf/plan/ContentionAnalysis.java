package dev.ply.bpf.plan;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.bpf.object.AttachSpec;
import dev.ply.ir.Statement;
import dev.ply.ir.Walker;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Determines which programs can interrupt another of the trace on the same CPU in the middle of an
 * update. The kernel excludes:
 *
 * <ul>
 *   <li>programs of kprobes and perf events, including tracepoint records and timers: one at a time
 *       on each CPU ({@code bpf_prog_active});
 *   <li>programs on all syscalls, which run with preemption disabled in process context;
 *   <li>trampolines and raw tracepoints: only themselves ({@code prog->active}), any can interrupt
 *       another;
 *   <li>programs in user space: nothing; since Linux 6.0 not even themselves on another thread.
 * </ul>
 *
 * <p>BEGIN and END run alone.
 */
public final class ContentionAnalysis {
  private ContentionAnalysis() {}

  /** Sets of programs that exclude each other on a CPU. */
  private enum Turns {
    GLOBAL,
    SYSTEM_CALLS
  }

  /**
   * Returns the aggregations for which an updating program can be interrupted by another one: they
   * need atomic updates.
   */
  public static Set<String> contended(List<PlannedProgram> programs) {
    Map<String, Object> updaters = new HashMap<>();
    Set<String> contended = new TreeSet<>();
    for (int i = 0; i < programs.size(); i++) {
      PlannedProgram program = programs.get(i);
      Set<String> updated = updated(List.of(program));
      Optional<Object> turns = turns(program, i);
      for (String map : updated) {
        Object before = turns.isPresent() ? updaters.putIfAbsent(map, turns.get()) : null;
        boolean isAnothers = before != null && !before.equals(turns.get());
        if (isAnothers || program.specs().get(0) instanceof AttachSpec.Uprobe) {
          contended.add(map);
        }
      }
    }
    return contended;
  }

  /** Returns the aggregations that programs update. */
  public static Set<String> updated(List<PlannedProgram> programs) {
    Set<String> updated = new TreeSet<>();
    for (PlannedProgram program : programs) {
      Updates updates = new Updates(updated);
      for (AnalyzedClause clause : program.clauses()) {
        updates.walk(clause.clause().body());
      }
    }
    return updated;
  }

  /** Returns what is equal for programs of which none interrupts another: they can share memory. */
  public static Object sharing(PlannedProgram program) {
    return turns(program, 0).filter(Turns.class::isInstance).orElse(program);
  }

  /** Returns the set of mutually exclusive programs that a program belongs to, if any. */
  private static Optional<Object> turns(PlannedProgram program, int index) {
    AttachSpec spec = program.specs().get(0);
    if (spec instanceof AttachSpec.Iterator) {
      return Optional.empty();
    }
    if (spec instanceof AttachSpec.TestRun run) {
      return run.point().isOfEveryTrace() ? Optional.empty() : Optional.of(index);
    }
    if (spec instanceof AttachSpec.AllSyscalls) {
      return Optional.of(Turns.SYSTEM_CALLS);
    }
    return switch (spec.programType()) {
      case KPROBE, TRACEPOINT, PERF_EVENT -> Optional.of(Turns.GLOBAL);
      case FENTRY, FEXIT, RAW_TRACEPOINT, TYPED_TRACEPOINT, ITERATOR -> Optional.of(index);
    };
  }

  /** Collects the maps that statements aggregate into. */
  private static final class Updates extends Walker {
    private final Set<String> maps;

    Updates(Set<String> maps) {
      this.maps = maps;
    }

    @Override
    public Walker visit(Statement.Aggregate node) {
      maps.add(node.target().name());
      return super.visit(node);
    }
  }
}
