package dev.ply.bpf.verifier;

import dev.ply.bpf.isa.Instruction;

/**
 * One step of the verifier: an instruction on a path, with the state before it.
 *
 * <p>Steps of a path are consecutive; a step that does not follow from its predecessor starts
 * another path.
 *
 * @param index the index of the instruction; pseudo-instructions count
 * @param instruction at that index
 * @param before registers and stack of the current frame, such as {@code r1=ctx r10=fp}
 * @param changes the registers and stack slots that the instruction changes; for jumps, on the
 *     fall-through branch; may be empty
 * @param outcome how the path continues
 */
public record TraceStep(
    int index, Instruction instruction, String before, String changes, Outcome outcome) {
  /** How a path continues after a step. */
  public enum Outcome {
    /** With one successor. */
    CONTINUES,
    /** With several successors. */
    BRANCHES,
    /** The program exits, or an error allows no successor. */
    ENDS,
    /** The path is pruned: an explored state subsumes this one. */
    PRUNED,
    /** The path has returned to an unchanged state. */
    INFINITE_LOOP
  }
}
