package dev.ply.bpf.optimize;

import dev.ply.bpf.cfg.MapSizes;
import dev.ply.bpf.isa.Instruction;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Runs the passes over a program on virtual registers until none finds anything to do. */
public final class Optimizer implements UnaryOperator<List<Instruction>> {
  /** Rounds that pay; what a program of many parts has left then is little. */
  private static final int ROUNDS = 4;

  /** Programs longer than this many instructions are compiled as they are, lest it take seconds. */
  private static final int LONGEST = 6000;

  private final Set<Pass> passes;
  private final Function<String, Optional<MapSizes>> maps;
  private final boolean namesArePadded;

  /**
   * An optimiser.
   *
   * @param maps the sizes of maps by name, as far as they are known
   * @param namesArePadded whether the kernel fills a thread's name up with NULs
   */
  public Optimizer(
      Set<Pass> passes, Function<String, Optional<MapSizes>> maps, boolean namesArePadded) {
    this.passes = Set.copyOf(passes);
    this.maps = maps;
    this.namesArePadded = namesArePadded;
  }

  @Override
  public List<Instruction> apply(List<Instruction> code) {
    List<Instruction> before = code;
    for (int i = 0; i < ROUNDS && code.size() <= LONGEST; i++) {
      List<Instruction> after = before;
      if (passes.contains(Pass.THREAD_JUMPS)) {
        after = new ThreadJumps(maps).apply(after);
      }
      if (passes.contains(Pass.SHARE_VALUES)) {
        after = new ShareValues(maps).apply(after);
      }
      if (passes.contains(Pass.PROPAGATE_VALUES)) {
        after = new PropagateValues(maps).apply(after);
      }
      after = new EliminateDeadCode().apply(after);
      if (passes.contains(Pass.ELIMINATE_DEAD_STORES)) {
        after = new EliminateDeadStores(maps, namesArePadded).apply(after);
      }
      if (isSame(after, before)) {
        break;
      }
      before = after;
    }
    return before;
  }

  /** Passes leave what they do not change as it is, so that nothing has to be compared. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(List<Instruction> after, List<Instruction> before) {
    boolean same = after.size() == before.size();
    for (int i = 0; same && i < after.size(); i++) {
      same = after.get(i) == before.get(i);
    }
    return same;
  }
}
