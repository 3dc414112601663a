package dev.ply.bpf.codegen.register;

import dev.ply.bpf.cfg.ControlFlow;
import dev.ply.bpf.cfg.Liveness;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Width;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Which registers are live at the same time and so cannot share a machine register, and which are
 * copies.
 */
final class InterferenceGraph {
  private final BitSet[] neighbours;
  private final BitSet[] copies;
  private final int[] uses;

  InterferenceGraph(List<Instruction> code) {
    ControlFlow flow = ControlFlow.of(code);
    int size = flow.registers();
    neighbours = new BitSet[size];
    copies = new BitSet[size];
    uses = new int[size];
    for (int i = 0; i < size; i++) {
      neighbours[i] = new BitSet();
      copies[i] = new BitSet();
    }
    Liveness.of(flow).visit((index, needed) -> add(flow, index, needed));
  }

  private void add(ControlFlow flow, int index, BitSet needed) {
    Optional<Register> source = copied(flow.at(index));
    for (int written : flow.writes(index)) {
      for (int other = needed.nextSetBit(0); other >= 0; other = needed.nextSetBit(other + 1)) {
        // A copy and its original can share a register.
        if (other != written && !(source.isPresent() && source.get().number() == other)) {
          neighbours[written].set(other);
          neighbours[other].set(written);
        }
      }
      uses[written]++;
    }
    for (int read : flow.reads(index)) {
      uses[read]++;
    }
    if (source.isPresent()) {
      int target = flow.writes(index)[0];
      copies[target].set(source.get().number());
      copies[source.get().number()].set(target);
    }
  }

  /** Returns the register that the instruction copies, if it is a plain copy. */
  static Optional<Register> copied(Instruction instruction) {
    return instruction instanceof Instruction.Alu move
            && move.op() == AluOp.MOV
            && move.width() == Width.W64
            && move.src() instanceof Register source
        ? Optional.of(source)
        : Optional.empty();
  }

  int size() {
    return neighbours.length;
  }

  BitSet neighbours(int register) {
    return neighbours[register];
  }

  BitSet copies(int register) {
    return copies[register];
  }

  /** Returns the number of uses of a register. */
  int uses(int register) {
    return uses[register];
  }
}
