/**
 * From analysed scripts to BPF programs: expressions and statements are lowered to instructions
 * over virtual registers, which the register allocator maps to machine registers. Values are in
 * registers or memory; strings are built where they are needed.
 */
@NullMarked
package dev.ply.bpf.codegen;

import org.jspecify.annotations.NullMarked;
