/** The requirements of instructions, and whether a state satisfies them. */
@NullMarked
package dev.ply.bpf.verifier.rule;

import org.jspecify.annotations.NullMarked;
