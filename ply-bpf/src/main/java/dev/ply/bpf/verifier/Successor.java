package dev.ply.bpf.verifier;

import dev.ply.bpf.verifier.domain.AbstractState;

/** A successor of an instruction, with the state on that edge. */
record Successor(int index, AbstractState state) {}
