/** The transfer functions of instructions: from a state to its successors. */
@NullMarked
package dev.ply.bpf.verifier.effect;

import org.jspecify.annotations.NullMarked;
