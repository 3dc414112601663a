/**
 * From an analysed script to BPF programs: expressions and statements are lowered to instructions
 * over virtual registers, which the register allocator then places. Values live in registers or at
 * places in memory; texts are built where they are needed.
 */
@NullMarked
package dev.ply.bpf.codegen;

import org.jspecify.annotations.NullMarked;
