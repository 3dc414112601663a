/**
 * Instructions of one program over virtual registers: numbers, memory, calls of helpers, reports of
 * errors.
 */
@NullMarked
package dev.ply.bpf.codegen.emit;

import org.jspecify.annotations.NullMarked;
