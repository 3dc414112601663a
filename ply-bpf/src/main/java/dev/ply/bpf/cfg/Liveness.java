package dev.ply.bpf.cfg;

import dev.ply.bpf.isa.Instruction;
import java.util.BitSet;

/**
 * Which registers' values are still needed after each instruction, by their numbers: by what has an
 * effect, or by what makes a value that is needed itself. Assumes that loads have no effect, which
 * holds for the program's own memory and context.
 */
public final class Liveness {
  private Liveness() {}

  /** Returns the liveness of a program's registers, machine's and virtual. */
  public static BackwardFlow of(ControlFlow flow) {
    return new BackwardFlow(
        flow,
        (index, needed) -> {
          if (isNeeded(flow, index, needed)) {
            for (int written : flow.writes(index)) {
              needed.clear(written);
            }
            for (int read : flow.reads(index)) {
              needed.set(read);
            }
          }
        });
  }

  /**
   * Tells whether an instruction does more than to make a value that nobody needs.
   *
   * @param needed the registers that are needed after it
   */
  public static boolean isNeeded(ControlFlow flow, int index, BitSet needed) {
    return !isPure(flow.at(index)) || needed.get(flow.writes(index)[0]);
  }

  private static boolean isPure(Instruction instruction) {
    if (instruction instanceof Instruction.CallHelper call) {
      return call.helper().isPresent() && ValueState.isFact(call.helper().get());
    }
    return instruction instanceof Instruction.Alu
        || instruction instanceof Instruction.Negate
        || instruction instanceof Instruction.SignExtend
        || instruction instanceof Instruction.ByteSwap
        || instruction instanceof Instruction.LoadWide
        || instruction instanceof Instruction.Load;
  }
}
