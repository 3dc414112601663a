/** Expressions: numbers, strings, values of several parts, variables, memory. */
@NullMarked
package dev.ply.bpf.codegen.value;

import org.jspecify.annotations.NullMarked;
