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

/** Runs the optimisation passes over a program on virtual registers until nothing changes. */
@SuppressWarnings("exports") // parts of it are for the other modules
public final class Optimizer implements UnaryOperator<List<Instruction>> {
  /** Maximum number of rounds; later ones hardly find anything. */
  private static final int ROUNDS = 4;

  /** Maximum number of instructions: longer programs are not optimised, since it takes seconds. */
  private static final int LONGEST = 6000;

  private final Set<Pass> passes;
  private final Analyses analyses;
  private final boolean namesArePadded;

  /**
   * Creates an optimiser.
   *
   * @param passes to run, in their own order
   * @param maps returns the sizes of a map by name, if known
   * @param namesArePadded whether get_current_comm pads with NULs, as all kernels but 6.0 and 6.1
   *     do
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
          boolean refines = refinesValues(pass, current, after);
          current = after;
          for (int j = 0; j < isDue.length; j++) {
            isDue[j] |= refines || (isRemoval(order.get(j)) && order.get(j) != pass);
          }
        }
      }
    }
    return current;
  }

  /**
   * Returns whether value numbering may find more after a pass: control flow changed, or fewer
   * writes to memory. Other changes preserve all values and at most leave dead code.
   */
  private static boolean refinesValues(
      UnaryOperator<List<Instruction>> pass, List<Instruction> before, List<Instruction> after) {
    return pass instanceof UnrollLoops
        || pass instanceof ThreadJumps
        || pass instanceof EliminateDeadStores
        || nameFetches(after) < nameFetches(before);
  }

  private static boolean isRemoval(UnaryOperator<List<Instruction>> pass) {
    return pass instanceof EliminateDeadCode || pass instanceof EliminateDeadStores;
  }

  /** Returns the number of calls of get_current_comm. */
  private static int nameFetches(List<Instruction> code) {
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
    if (passes.contains(Pass.UNROLL_LOOPS)) {
      order.add(new UnrollLoops(analyses));
    }
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

  /** Compares by identity: passes keep the instructions that they do not change. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(List<Instruction> after, List<Instruction> before) {
    boolean same = after.size() == before.size();
    for (int i = 0; same && i < after.size(); i++) {
      same = after.get(i) == before.get(i);
    }
    return same;
  }
}
