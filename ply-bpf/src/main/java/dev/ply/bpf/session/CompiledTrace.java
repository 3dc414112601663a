package dev.ply.bpf.session;

import dev.ply.Probe;
import dev.ply.analysis.AnalyzedScript;
import dev.ply.bpf.object.BpfObject;
import dev.ply.target.Target;
import java.util.IdentityHashMap;

/**
 * A trace that is compiled and verified.
 *
 * @param mapNames the map of each probe of the fluent API that aggregates
 */
record CompiledTrace(
    Target target,
    AnalyzedScript script,
    BpfObject object,
    IdentityHashMap<Probe, String> mapNames) {}
