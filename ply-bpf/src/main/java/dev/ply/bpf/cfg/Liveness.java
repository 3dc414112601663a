package dev.ply.bpf.cfg;

import dev.ply.bpf.isa.Instruction;
import java.util.BitSet;

/**
 * Liveness of registers: whose values may still be read by an instruction that is itself needed.
 *
 * <p>Assumes that loads have no side effects.
 */
public final class Liveness {
  private Liveness() {}

  /** Returns the liveness of machine and virtual registers, by number. */
  public static BackwardFlow of(ControlFlow flow) {
    return new BackwardFlow(
        flow,
        (index, live) -> {
          if (isNeeded(flow, index, live)) {
            for (int written : flow.writes(index)) {
              live.clear(written);
            }
            for (int read : flow.reads(index)) {
              live.set(read);
            }
          }
        });
  }

  /**
   * Returns whether an instruction has a side effect or computes a live value.
   *
   * @param live the registers that are live after it
   */
  public static boolean isNeeded(ControlFlow flow, int index, BitSet live) {
    return !isPure(flow.at(index)) || live.get(flow.writes(index)[0]);
  }

  private static boolean isPure(Instruction instruction) {
    if (instruction instanceof Instruction.CallHelper call) {
      return call.helper().isPresent() && ValueState.isInvariant(call.helper().get());
    }
    return instruction instanceof Instruction.Alu
        || instruction instanceof Instruction.Negate
        || instruction instanceof Instruction.SignExtend
        || instruction instanceof Instruction.ByteSwap
        || instruction instanceof Instruction.LoadWide
        || instruction instanceof Instruction.Load;
  }
}
