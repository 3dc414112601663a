package dev.ply.bpf.object;

import dev.ply.analysis.MapSymbol;

/** A script's map and the BPF map that stores it. */
public record MapLayout(MapSymbol symbol, BpfMap map) {}
