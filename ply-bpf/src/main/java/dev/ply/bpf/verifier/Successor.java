package dev.ply.bpf.verifier;

import dev.ply.bpf.verifier.domain.AbstractState;

/** A place that control goes to, and what is known there. */
record Successor(int index, AbstractState state) {}
