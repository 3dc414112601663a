/** Tests of the abstract values: every operation contains what the machine computes. */
@NullMarked
package dev.ply.bpf.verifier.domain;

import org.jspecify.annotations.NullMarked;
