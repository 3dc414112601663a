package dev.ply.bpf.verifier.flow;

import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.RegisterUse;
import java.util.ArrayList;
import java.util.List;

/** Liveness of registers, to compare states by live registers only. */
public final class LiveRegisters {
  private final int[] liveBefore;

  /** Computes the live registers of all reachable instructions. */
  public LiveRegisters(Reachability flow) {
    List<Instruction> code = flow.code();
    liveBefore = new int[code.size()];
    List<RegisterUse> uses = new ArrayList<>(code.size());
    for (Instruction instruction : code) {
      uses.add(RegisterUse.of(instruction));
    }
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int i = code.size() - 1; i >= 0; i--) {
        int live = 0;
        for (int next : flow.successors(i)) {
          live |= liveBefore[next];
        }
        for (Register written : uses.get(i).writes()) {
          live &= ~(1 << written.number());
        }
        for (Register read : uses.get(i).reads()) {
          live |= 1 << read.number();
        }
        changed |= live != liveBefore[i];
        liveBefore[i] = live;
      }
    }
  }

  /** Returns whether {@code register} is live before the instruction at {@code index}. */
  public boolean isLive(int index, Register register) {
    return (liveBefore[index] & (1 << register.number())) != 0;
  }
}
