package dev.ply.bpf.optimize;

import dev.ply.bpf.cfg.ControlFlow;
import dev.ply.bpf.cfg.Liveness;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.RegisterUse;
import dev.ply.bpf.isa.WideSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Removes what cannot be reached, which the kernel would refuse; what computes a value nobody
 * needs; and jumps to where control goes anyway. Assumes that loads have no effect, which holds for
 * the program's own memory and context.
 */
public final class EliminateDeadCode implements UnaryOperator<List<Instruction>> {
  @Override
  public List<Instruction> apply(List<Instruction> code) {
    List<Instruction> before = code;
    while (true) {
      List<Instruction> after =
          withoutUnnamedLabels(withoutIdleJumps(withoutUnneeded(withoutUnreachable(before))));
      if (after.size() == before.size()) {
        return after;
      }
      before = after;
    }
  }

  private static List<Instruction> withoutUnreachable(List<Instruction> code) {
    BitSet reachable = ControlFlow.of(code).reachable();
    List<Instruction> kept = new ArrayList<>();
    for (int i = 0; i < code.size(); i++) {
      // Labels go when nothing names them any more.
      if (reachable.get(i) || code.get(i) instanceof Instruction.LabelMark) {
        kept.add(code.get(i));
      }
    }
    return kept;
  }

  private static List<Instruction> withoutUnneeded(List<Instruction> code) {
    Liveness liveness = Liveness.of(code);
    List<Instruction> kept = new ArrayList<>();
    for (int i = 0; i < code.size(); i++) {
      if (!isPure(code.get(i)) || isNeeded(code.get(i), liveness.after(i))) {
        kept.add(code.get(i));
      }
    }
    return kept;
  }

  private static List<Instruction> withoutUnnamedLabels(List<Instruction> code) {
    Set<Label> named = new HashSet<>();
    for (Instruction instruction : code) {
      target(instruction).ifPresent(named::add);
      if (instruction instanceof Instruction.CallLocal call) {
        named.add(call.target());
      } else if (instruction instanceof Instruction.LoadWide load
          && load.source() instanceof WideSource.Function function) {
        named.add(function.target());
      }
    }
    List<Instruction> kept = new ArrayList<>(code.size());
    for (Instruction instruction : code) {
      if (!(instruction instanceof Instruction.LabelMark mark) || named.contains(mark.label())) {
        kept.add(instruction);
      }
    }
    return kept;
  }

  private static boolean isPure(Instruction instruction) {
    return instruction instanceof Instruction.Alu
        || instruction instanceof Instruction.Negate
        || instruction instanceof Instruction.SignExtend
        || instruction instanceof Instruction.ByteSwap
        || instruction instanceof Instruction.LoadWide
        || instruction instanceof Instruction.Load;
  }

  private static boolean isNeeded(Instruction instruction, BitSet live) {
    for (Register written : RegisterUse.writes(instruction)) {
      if (live.get(written.number())) {
        return true;
      }
    }
    return false;
  }

  private static List<Instruction> withoutIdleJumps(List<Instruction> code) {
    List<Instruction> kept = new ArrayList<>();
    for (int i = 0; i < code.size(); i++) {
      Optional<Label> target = target(code.get(i));
      boolean idle = target.isPresent() && follows(target.get(), code, i + 1);
      if (!idle) {
        kept.add(code.get(i));
      }
    }
    return kept;
  }

  private static Optional<Label> target(Instruction instruction) {
    if (instruction instanceof Instruction.Goto jump) {
      return Optional.of(jump.target());
    }
    return instruction instanceof Instruction.Jump branch
        ? Optional.of(branch.target())
        : Optional.empty();
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
