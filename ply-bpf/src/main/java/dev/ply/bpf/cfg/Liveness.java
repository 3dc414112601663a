package dev.ply.bpf.cfg;

import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.RegisterUse;
import java.util.BitSet;
import java.util.List;

/** Which registers' values are still needed after each instruction. */
public final class Liveness {
  private final BitSet[] liveAfter;

  private Liveness(BitSet[] liveAfter) {
    this.liveAfter = liveAfter;
  }

  /** Returns the liveness of a program's registers, machine's and virtual. */
  public static Liveness of(List<Instruction> code) {
    ControlFlow flow = ControlFlow.of(code);
    int size = code.size();
    RegisterUse[] uses = new RegisterUse[size];
    BitSet[] before = new BitSet[size];
    BitSet[] after = new BitSet[size];
    for (int i = 0; i < size; i++) {
      uses[i] = RegisterUse.of(code.get(i));
      before[i] = new BitSet();
      after[i] = new BitSet();
    }
    BitSet live = new BitSet();
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int i = size - 1; i >= 0; i--) {
        for (int next : flow.successors(i)) {
          after[i].or(before[next]);
        }
        live.clear();
        live.or(after[i]);
        for (Register written : uses[i].writes()) {
          live.clear(written.number());
        }
        for (Register read : uses[i].reads()) {
          live.set(read.number());
        }
        if (!live.equals(before[i])) {
          before[i].or(live);
          changed = true;
        }
      }
    }
    return new Liveness(after);
  }

  /**
   * Returns the numbers of the registers needed after the instruction at {@code index}; the set
   * must not be changed.
   */
  public BitSet after(int index) {
    return liveAfter[index];
  }
}
