package dev.ply.bpf.optimize;

import dev.ply.bpf.cfg.ControlFlow;
import dev.ply.bpf.cfg.Liveness;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Labels;
import dev.ply.bpf.isa.WideSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Removes unreachable code, computations of dead values, and jumps to the next instruction.
 *
 * <p>The kernel rejects unreachable instructions.
 */
public final class EliminateDeadCode implements UnaryOperator<List<Instruction>> {
  /** Creates the pass, which has no state. */
  public EliminateDeadCode() {}

  @Override
  public List<Instruction> apply(List<Instruction> code) {
    List<Instruction> current = code;
    while (true) {
      List<Instruction> needed = needed(current);
      List<Instruction> after = withoutJumpsToNext(needed);
      if (after.size() == needed.size()) {
        return withoutUnusedLabels(after);
      }
      // The operands of removed jumps may be dead now.
      current = after;
    }
  }

  /** Returns the reachable and needed instructions; labels stay until nothing refers to them. */
  private static List<Instruction> needed(List<Instruction> code) {
    ControlFlow flow = ControlFlow.of(code);
    BitSet kept = flow.reachable();
    Liveness.of(flow)
        .visit(
            (index, live) -> {
              if (flow.at(index) instanceof Instruction.LabelMark) {
                kept.set(index);
              } else if (!Liveness.isNeeded(flow, index, live)) {
                kept.clear(index);
              }
            });
    if (kept.cardinality() == code.size()) {
      return code;
    }
    List<Instruction> needed = new ArrayList<>(code.size());
    for (int i = kept.nextSetBit(0); i >= 0; i = kept.nextSetBit(i + 1)) {
      needed.add(flow.at(i));
    }
    return needed;
  }

  private static List<Instruction> withoutUnusedLabels(List<Instruction> code) {
    Set<Label> used = new HashSet<>();
    for (Instruction instruction : code) {
      Optional<Label> target = Labels.jumpTarget(instruction);
      if (target.isPresent()) {
        used.add(target.get());
      } else if (instruction instanceof Instruction.CallLocal call) {
        used.add(call.target());
      } else if (instruction instanceof Instruction.LoadWide load
          && load.source() instanceof WideSource.Function function) {
        used.add(function.target());
      }
    }
    List<Instruction> kept = new ArrayList<>(code.size());
    for (Instruction instruction : code) {
      if (!(instruction instanceof Instruction.LabelMark mark) || used.contains(mark.label())) {
        kept.add(instruction);
      }
    }
    return kept;
  }

  private static List<Instruction> withoutJumpsToNext(List<Instruction> code) {
    List<Instruction> kept = new ArrayList<>();
    for (int i = 0; i < code.size(); i++) {
      Optional<Label> target = Labels.jumpTarget(code.get(i));
      if (target.isEmpty() || !follows(target.get(), code, i + 1)) {
        kept.add(code.get(i));
      }
    }
    return kept;
  }

  private static boolean follows(Label label, List<Instruction> code, int start) {
    for (int i = start; i < code.size() && code.get(i).slots() == 0; i++) {
      if (code.get(i) instanceof Instruction.LabelMark mark && mark.label().equals(label)) {
        return true;
      }
    }
    return false;
  }
}
