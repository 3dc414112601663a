package dev.ply.bpf.verifier;

import dev.ply.bpf.isa.Instruction;
import dev.ply.diagnostic.SourceSpan;
import java.util.Optional;

/**
 * A reason to reject a program.
 *
 * @param instructionIndex the index of the instruction; pseudo-instructions count
 * @param span the source span of the instruction, if known
 * @param instruction at that index
 * @param message what is wrong and how to fix it
 * @param state registers and stack before the instruction, on the first failing path
 */
public record Violation(
    int instructionIndex,
    Optional<SourceSpan> span,
    Instruction instruction,
    String message,
    String state) {}
