/** What instructions do to a state: their successors. */
@NullMarked
package dev.ply.bpf.verifier.effect;

import org.jspecify.annotations.NullMarked;
