package dev.ply.bpf.plan;

import dev.ply.bpf.object.AttachSpec;
import dev.ply.ir.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which programs may run on a processor while another of a trace is about to change something
 * there. The kernel keeps some from doing so:
 *
 * <ul>
 *   <li>programs of kprobes and perf events, those of recorded tracepoints and of clocks among
 *       them: one at a time on each processor ({@code bpf_prog_active});
 *   <li>those on all system calls, which run in threads that nothing takes the processor from;
 *   <li>trampolines and tracepoints without a record: each for itself ({@code prog->active}), but
 *       any may interrupt another;
 *   <li>those in user space: nothing, since Linux 6.0 not even another thread with the same one.
 * </ul>
 *
 * <p>BEGIN and END have the trace for themselves.
 */
public final class ContentionAnalysis {
  private ContentionAnalysis() {}

  /** Programs that take turns on each processor. */
  private enum Turns {
    GLOBAL,
    SYSTEM_CALLS
  }

  /**
   * Returns the aggregations that one program may be interrupted in updating by another that does
   * so too: they take atomic updates. All others are updated by one program at a time.
   */
  public static Set<String> contended(List<PlannedProgram> programs) {
    Map<String, Object> updaters = new HashMap<>();
    Set<String> contended = new TreeSet<>();
    for (int i = 0; i < programs.size(); i++) {
      PlannedProgram program = programs.get(i);
      Set<String> updated = new TreeSet<>();
      program.clauses().forEach(clause -> collect(clause.clause().body(), updated));
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

  /** Returns what a program takes turns with: the programs of which the same is returned. */
  private static Optional<Object> turns(PlannedProgram program, int index) {
    AttachSpec spec = program.specs().get(0);
    if (spec instanceof AttachSpec.TestRun) {
      return Optional.empty();
    }
    if (spec instanceof AttachSpec.AllSyscalls) {
      return Optional.of(Turns.SYSTEM_CALLS);
    }
    return switch (spec.programType()) {
      case KPROBE, TRACEPOINT, PERF_EVENT -> Optional.of(Turns.GLOBAL);
      case FENTRY, FEXIT, RAW_TRACEPOINT, TYPED_TRACEPOINT -> Optional.of(index);
    };
  }

  private static void collect(Statement statement, Set<String> updated) {
    if (statement instanceof Statement.Block block) {
      block.statements().forEach(part -> collect(part, updated));
    } else if (statement instanceof Statement.If condition) {
      collect(condition.then(), updated);
      collect(condition.otherwise(), updated);
    } else if (statement instanceof Statement.While loop) {
      collect(loop.body(), updated);
    } else if (statement instanceof Statement.ForRange loop) {
      collect(loop.body(), updated);
    } else if (statement instanceof Statement.Unroll loop) {
      collect(loop.body(), updated);
    } else if (statement instanceof Statement.Aggregate aggregate) {
      updated.add(aggregate.target().name());
    }
  }
}
