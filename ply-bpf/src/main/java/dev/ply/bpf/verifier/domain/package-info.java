/**
 * The abstract domains of the verifier: scalars, pointers, stacks, frames and whole states.
 *
 * <p>Lattices with join, widening and subsumption, and the semantics of arithmetic and comparisons.
 * Rules about what programs may do belong to {@code verifier}. Not exported.
 */
@NullMarked
package dev.ply.bpf.verifier.domain;

import org.jspecify.annotations.NullMarked;
