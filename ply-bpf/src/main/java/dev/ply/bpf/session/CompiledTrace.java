package dev.ply.bpf.session;

import dev.ply.EventProbe;
import dev.ply.Probe;
import dev.ply.analysis.AnalyzedScript;
import dev.ply.bpf.object.BpfObject;
import dev.ply.builtin.aggregate.EmitFunction;
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
    IdentityHashMap<Probe, String> mapNames) {
  /**
   * Returns the function that sends the records of a probe.
   *
   * @throws IllegalArgumentException if the probe is not part of the trace
   */
  <E extends Record> EmitFunction<E> function(EventProbe<E> probe) {
    if (!mapNames.containsKey(probe)) {
      throw new IllegalArgumentException("this probe is not part of the trace");
    }
    return probe.function();
  }
}
