/**
 * Assembler and disassembler for the notation of the kernel's verifier log and {@code bpftool}.
 *
 * <p>The assembler parses what the disassembler prints, and the mnemonics of the bpf_conformance
 * suite. Depends on {@code isa} only.
 */
@NullMarked
package dev.ply.bpf.asm;

import org.jspecify.annotations.NullMarked;
