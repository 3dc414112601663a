/**
 * Options of code generation, which is in the packages below this one.
 *
 * <p>{@code program} compiles analysed scripts: expressions and statements are lowered to
 * instructions over virtual registers, which {@code register} maps to machine registers. Values are
 * in registers or memory; strings are built where they are needed.
 */
@NullMarked
package dev.ply.bpf.codegen;

import org.jspecify.annotations.NullMarked;
