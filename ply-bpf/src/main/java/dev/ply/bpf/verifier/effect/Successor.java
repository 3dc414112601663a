package dev.ply.bpf.verifier.effect;

import dev.ply.bpf.verifier.domain.AbstractState;

/** A successor of an instruction, with the state on that edge. */
public record Successor(int index, AbstractState state) {}
