/**
 * The abstract values of the verifier: what is known of numbers, pointers, stacks and whole states,
 * as lattices with join, widening and subsumption. Knows the semantics of arithmetic and
 * comparisons, but no rules about what a program may do. Not exported.
 */
@NullMarked
package dev.ply.bpf.verifier.domain;

import org.jspecify.annotations.NullMarked;
