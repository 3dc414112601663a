package dev.ply.bpf.verifier;

import dev.ply.bpf.isa.Instruction;

/**
 * An instruction on one of the paths that the verifier follows, and what it knows there. The steps
 * of a path come one after the other; a step that does not follow from the one before begins
 * another path.
 *
 * @param index the place in the program's list of instructions, marks counted
 * @param before what the running function's registers and stack hold, {@code r1=ctx r10=fp}
 * @param changes the part of it that is different behind the instruction; of jumps, where they are
 *     not taken; empty if nothing is
 * @param outcome how the path goes on
 */
public record TraceStep(
    int index, Instruction instruction, String before, String changes, Outcome outcome) {
  /** How a path goes on behind a step. */
  public enum Outcome {
    /** To one instruction. */
    GOES_ON,
    /** To several, with what each way tells. */
    BRANCHES,
    /** It ends, for good or because the program cannot go on. */
    ENDS,
    /** Nowhere: all from here on is known from an earlier path. */
    IS_KNOWN,
    /** Nowhere: it has come back with nothing changed. */
    REPEATS
  }
}
