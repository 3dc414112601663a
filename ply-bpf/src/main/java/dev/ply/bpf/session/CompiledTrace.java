package dev.ply.bpf.session;

import dev.ply.Probe;
import dev.ply.analysis.AnalyzedScript;
import dev.ply.bpf.object.BpfObject;
import dev.ply.target.Target;
import java.util.IdentityHashMap;

/**
 * A compiled and verified trace.
 *
 * @param mapNames the map of each aggregating probe of the fluent API
 */
record CompiledTrace(
    Target target,
    AnalyzedScript script,
    BpfObject object,
    IdentityHashMap<Probe, String> mapNames) {}
