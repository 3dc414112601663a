/**
 * Programs as text, in the notation of the kernel's verifier log and of {@code bpftool}. What the
 * disassembler writes, the assembler reads back; {@code Notation} is the part of the notation both
 * look up. The assembler also reads mnemonics with operands, the notation of the bpf_conformance
 * suite.
 */
@NullMarked
package dev.ply.bpf.asm;

import org.jspecify.annotations.NullMarked;
