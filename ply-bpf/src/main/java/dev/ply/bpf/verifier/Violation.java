package dev.ply.bpf.verifier;

import dev.ply.bpf.isa.Instruction;
import dev.ply.ir.SourceSpan;
import java.util.Optional;

/**
 * One reason for which a program is refused.
 *
 * @param instructionIndex the place in the program's list of instructions, marks counted
 * @param span the piece of source the instruction comes from, if known
 * @param message what is wrong and what to do, in words
 * @param state what registers and stack held before the instruction, on the first path that failed
 */
public record Violation(
    int instructionIndex,
    Optional<SourceSpan> span,
    Instruction instruction,
    String message,
    String state) {}
