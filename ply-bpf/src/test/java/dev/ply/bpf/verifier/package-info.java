/** Tests of the verifier: what it refuses, in which words, and what it accepts. */
@NullMarked
package dev.ply.bpf.verifier;

import org.jspecify.annotations.NullMarked;
