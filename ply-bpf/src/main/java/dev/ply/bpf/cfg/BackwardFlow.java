package dev.ply.bpf.cfg;

import dev.ply.bpf.isa.Instruction;
import java.util.BitSet;

/** Backward dataflow over a program, for liveness of registers or of stack bytes. */
public final class BackwardFlow {
  private final ControlFlow flow;
  private final Step step;

  /** The live registers at each label, by its index. */
  private final BitSet[] atLabel;

  /** The transfer function of an instruction other than a label. */
  @FunctionalInterface
  public interface Step {
    /** Turns what is live after the instruction at {@code index} into what is live before it. */
    void before(int index, BitSet live);
  }

  /** Visits instructions from last to first. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Visits an instruction.
     *
     * @param live what is live after it; read-only, valid during the call
     */
    void visit(int index, BitSet live);
  }

  /** Computes the fixpoint for a program. */
  public BackwardFlow(ControlFlow flow, Step step) {
    this.flow = flow;
    this.step = step;
    this.atLabel = new BitSet[flow.size()];
    for (int i = 0; i < flow.size(); i++) {
      if (flow.at(i) instanceof Instruction.LabelMark) {
        atLabel[i] = new BitSet();
      }
    }
    // Without back edges, one scan suffices: labels are scanned before the jumps to them.
    boolean changed = true;
    while (changed) {
      changed = scan((index, live) -> {});
    }
  }

  /** Visits every instruction, from last to first. */
  public void visit(Visitor visitor) {
    scan(visitor);
  }

  /** Scans the program once; returns whether the live set of a label grew. */
  private boolean scan(Visitor visitor) {
    boolean changed = false;
    BitSet live = new BitSet();
    for (int i = flow.size() - 1; i >= 0; i--) {
      if (!flow.fallsThrough(i)) {
        live.clear();
      }
      if (flow.target(i) != ControlFlow.NO_TARGET) {
        live.or(atLabel[flow.target(i)]);
      }
      visitor.visit(i, live);
      if (flow.at(i) instanceof Instruction.LabelMark) {
        int before = atLabel[i].cardinality();
        atLabel[i].or(live);
        changed |= atLabel[i].cardinality() > before;
      } else {
        step.before(i, live);
      }
    }
    return changed;
  }
}
