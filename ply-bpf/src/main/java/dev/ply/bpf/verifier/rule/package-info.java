/** What instructions require, and whether a state satisfies it. */
@NullMarked
package dev.ply.bpf.verifier.rule;

import org.jspecify.annotations.NullMarked;
