package dev.ply.bpf.codegen;

import dev.ply.bpf.cfg.Liveness;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.RegisterUse;
import dev.ply.bpf.isa.Width;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Which registers are needed at the same time and so cannot share a place, and which are copies of
 * each other.
 */
final class InterferenceGraph {
  private final BitSet[] neighbours;
  private final BitSet[] copies;
  private final int[] uses;

  InterferenceGraph(List<Instruction> code) {
    int size = 1 + highest(code);
    neighbours = new BitSet[size];
    copies = new BitSet[size];
    uses = new int[size];
    for (int i = 0; i < size; i++) {
      neighbours[i] = new BitSet();
      copies[i] = new BitSet();
    }
    Liveness liveness = Liveness.of(code);
    for (int i = 0; i < code.size(); i++) {
      add(code.get(i), liveness.after(i));
    }
  }

  private static int highest(List<Instruction> code) {
    int highest = 10;
    for (Instruction instruction : code) {
      RegisterUse use = RegisterUse.of(instruction);
      for (Register register : use.reads()) {
        highest = Math.max(highest, register.number());
      }
      for (Register register : use.writes()) {
        highest = Math.max(highest, register.number());
      }
    }
    return highest;
  }

  private void add(Instruction instruction, BitSet live) {
    RegisterUse use = RegisterUse.of(instruction);
    Optional<Register> source = copied(instruction);
    for (Register written : use.writes()) {
      for (int other = live.nextSetBit(0); other >= 0; other = live.nextSetBit(other + 1)) {
        // A copy and its original may share a place.
        if (other != written.number() && !(source.isPresent() && source.get().number() == other)) {
          neighbours[written.number()].set(other);
          neighbours[other].set(written.number());
        }
      }
      uses[written.number()]++;
    }
    for (Register read : use.reads()) {
      uses[read.number()]++;
    }
    if (source.isPresent()) {
      Register target = use.writes().get(0);
      copies[target.number()].set(source.get().number());
      copies[source.get().number()].set(target.number());
    }
  }

  /** Returns the register that the instruction copies as a whole, if it does just that. */
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

  /** Returns how often the register is named. */
  int uses(int register) {
    return uses[register];
  }
}
