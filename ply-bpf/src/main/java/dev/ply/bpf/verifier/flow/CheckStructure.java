package dev.ply.bpf.verifier.flow;

import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.CallLocal;
import dev.ply.bpf.isa.Instruction.Exit;
import dev.ply.bpf.isa.Instruction.Goto;
import dev.ply.bpf.isa.Instruction.LabelMark;
import dev.ply.bpf.isa.Instruction.LoadWide;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.verifier.domain.AbstractState;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Checks control flow without regard to values: labels, ends of functions, unreachable code. */
public final class CheckStructure {
  /** Maximum call depth (MAX_CALL_FRAMES). */
  public static final int MAX_FRAMES = 8;

  private final Reachability flow;
  private final List<Instruction> code;
  private final Violations violations;

  /** Checks a program whose reachable instructions are known. */
  public CheckStructure(Reachability flow, Violations violations) {
    this.flow = flow;
    this.code = flow.code();
    this.violations = violations;
  }

  /** Returns whether the call depth allows another call. */
  public static boolean canEnter(AbstractState state) {
    return state.depth() < MAX_FRAMES;
  }

  /** Adds a violation for each jump, call or end that the kernel would refuse. */
  public void apply() {
    checkLabels();
    checkEnds();
    checkReachability();
    checkMaps();
  }

  private void checkMaps() {
    Set<String> used = new HashSet<>();
    for (int i = 0; i < code.size(); i++) {
      if (BpfProgram.mapOf(code.get(i)).filter(used::add).isPresent()
          && used.size() == BpfProgram.MOST_MAPS + 1) {
        report(i, "a program can use " + BpfProgram.MOST_MAPS + " maps");
      }
    }
  }

  private void checkLabels() {
    Set<Label> seen = new HashSet<>();
    for (int i = 0; i < code.size(); i++) {
      Instruction instruction = code.get(i);
      if (instruction instanceof LabelMark mark && !seen.add(mark.label())) {
        report(i, "label " + mark.label() + " is defined twice");
      }
      Optional<Label> label = Reachability.referencedLabel(instruction);
      if (label.isPresent()) {
        checkTarget(i, instruction, label.get());
      }
    }
  }

  private void checkTarget(int index, Instruction instruction, Label label) {
    Optional<Integer> target = flow.target(label);
    if (target.isEmpty()) {
      report(index, "label " + label + " is not defined");
    } else if (instruction instanceof CallLocal || instruction instanceof LoadWide) {
      if (target.get() == 0) {
        report(index, "the program calls its own entry; a function must start elsewhere");
      }
    } else if (flow.functionOf(target.get()) != flow.functionOf(index)) {
      report(index, "the jump to " + label + " leaves its function");
    }
  }

  private void checkEnds() {
    for (int entry : flow.functions()) {
      int last = flow.endOf(entry) - 1;
      while (last > entry && code.get(last).slots() == 0) {
        last--;
      }
      if (!(code.get(last) instanceof Exit) && !(code.get(last) instanceof Goto)) {
        report(last, "the function falls off its end; end it with exit or a jump");
      }
    }
  }

  private void checkReachability() {
    BitSet reachable = flow.reachable();
    boolean reported = false;
    for (int i = 0; i < code.size(); i++) {
      if (reachable.get(i)) {
        reported = false;
      } else if (!reported && code.get(i).slots() > 0) {
        report(i, "no path reaches this instruction; remove it");
        reported = true;
      }
    }
  }

  private void report(int index, String message) {
    violations.report(index, List.of(message), "");
  }
}
