package dev.ply.bpf.cfg;

import dev.ply.bpf.isa.Instruction;
import java.util.BitSet;

/**
 * What is needed at each point of a program, be it registers or bytes of the stack: found from its
 * end to its start, until nothing more is.
 */
public final class BackwardFlow {
  private final ControlFlow flow;
  private final Step step;

  /** What is needed where control comes to a label, by its place. */
  private final BitSet[] atLabel;

  /** What an instruction does to what is needed. */
  @FunctionalInterface
  public interface Step {
    /**
     * Turns what is needed after an instruction, which is no label, into what is needed before it.
     */
    void before(int index, BitSet needed);
  }

  /** Sees each instruction, the last one first. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Sees an instruction.
     *
     * @param needed what is needed after it; valid for the call only, and not to be changed
     */
    void see(int index, BitSet needed);
  }

  /** Finds what is needed in a program. */
  public BackwardFlow(ControlFlow flow, Step step) {
    this.flow = flow;
    this.step = step;
    this.atLabel = new BitSet[flow.size()];
    for (int i = 0; i < flow.size(); i++) {
      if (flow.at(i) instanceof Instruction.LabelMark) {
        atLabel[i] = new BitSet();
      }
    }
    Visitor nobody = (index, needed) -> {};
    // Where no jump goes back, a label is known before those who come to it.
    boolean isMore = true;
    while (isMore) {
      isMore = scan(nobody);
    }
  }

  /** Shows a visitor the whole program, from its end to its start. */
  public void visit(Visitor visitor) {
    scan(visitor);
  }

  /** Goes through the program once; tells whether more was needed at a label than was known. */
  private boolean scan(Visitor visitor) {
    boolean isMore = false;
    BitSet needed = new BitSet();
    for (int i = flow.size() - 1; i >= 0; i--) {
      if (!flow.goesOn(i)) {
        needed.clear();
      }
      if (flow.target(i) != ControlFlow.NOWHERE) {
        needed.or(atLabel[flow.target(i)]);
      }
      visitor.see(i, needed);
      if (flow.at(i) instanceof Instruction.LabelMark) {
        int before = atLabel[i].cardinality();
        atLabel[i].or(needed);
        isMore |= atLabel[i].cardinality() > before;
      } else {
        step.before(i, needed);
      }
    }
    return isMore;
  }
}
