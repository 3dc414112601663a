package dev.ply.bpf.optimize;

import dev.ply.bpf.cfg.MapSizes;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Instruction;
import java.util.ArrayList;
import java.util.Arrays;
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
  private final Analyses analyses;
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
    this.analyses = new Analyses(maps);
    this.namesArePadded = namesArePadded;
  }

  @Override
  public List<Instruction> apply(List<Instruction> code) {
    if (code.size() > LONGEST) {
      return code;
    }
    List<UnaryOperator<List<Instruction>>> order = order();
    boolean[] isDue = new boolean[order.size()];
    Arrays.fill(isDue, true);
    List<Instruction> current = code;
    for (int i = 0; i < ROUNDS * order.size(); i++) {
      UnaryOperator<List<Instruction>> pass = order.get(i % order.size());
      if (isDue[i % order.size()]) {
        isDue[i % order.size()] = false;
        List<Instruction> after = pass.apply(current);
        if (!isSame(after, current)) {
          boolean isMoreKnown = isMoreKnown(pass, current, after);
          current = after;
          for (int j = 0; j < isDue.length; j++) {
            isDue[j] |= isMoreKnown || (isRemoval(order.get(j)) && order.get(j) != pass);
          }
        }
      }
    }
    return current;
  }

  /**
   * Tells whether more is known of a program's values after a pass: where control takes other ways,
   * or less memory is written. Whatever else passes change makes the same values as before, and at
   * most leaves something that nobody needs.
   */
  private static boolean isMoreKnown(
      UnaryOperator<List<Instruction>> pass, List<Instruction> before, List<Instruction> after) {
    return pass instanceof ThreadJumps
        || pass instanceof EliminateDeadStores
        || namings(after) < namings(before);
  }

  private static boolean isRemoval(UnaryOperator<List<Instruction>> pass) {
    return pass instanceof EliminateDeadCode || pass instanceof EliminateDeadStores;
  }

  /** Returns how often a program has the thread's name written, which may be shared. */
  private static int namings(List<Instruction> code) {
    int count = 0;
    for (Instruction instruction : code) {
      if (instruction instanceof Instruction.CallHelper call
          && call.number() == Helper.GET_CURRENT_COMM.number()) {
        count++;
      }
    }
    return count;
  }

  private List<UnaryOperator<List<Instruction>>> order() {
    List<UnaryOperator<List<Instruction>>> order = new ArrayList<>();
    if (passes.contains(Pass.THREAD_JUMPS)) {
      order.add(new ThreadJumps(analyses));
    }
    if (passes.contains(Pass.SHARE_VALUES)) {
      order.add(new ShareValues(analyses));
    }
    if (passes.contains(Pass.PROPAGATE_VALUES)) {
      order.add(new PropagateValues(analyses));
    }
    order.add(new EliminateDeadCode());
    if (passes.contains(Pass.ELIMINATE_DEAD_STORES)) {
      order.add(new EliminateDeadStores(analyses, namesArePadded));
    }
    return order;
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
