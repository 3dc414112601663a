package dev.ply.bpf.session;

import dev.ply.Session;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.plan.SamplingPlan;
import dev.ply.result.Result;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Sets how many hits a trace leaves out. Thread-safe. */
final class HitSampling {
  private final CompiledTrace compiled;
  private final TraceRun run;
  private int current = 1;

  HitSampling(CompiledTrace compiled, TraceRun run) {
    this.compiled = compiled;
    this.run = run;
  }

  /** Examines one of so many hits from now on, as {@link Session#sample} does. */
  synchronized void set(int oneOf) {
    if (oneOf < 1 || oneOf > Session.MOST_SAMPLED) {
      throw new IllegalArgumentException(
          "one of 1 to " + Session.MOST_SAMPLED + " hits can be examined, not of " + oneOf);
    }
    BpfMap map =
        compiled
            .object()
            .map(BpfObject.SAMPLING)
            .orElseThrow(() -> new IllegalStateException("hits cannot be sampled: " + obstacle()));
    if (oneOf != current) {
      ByteOrder order = compiled.target().architecture().byteOrder();
      byte[] number = ByteBuffer.allocate(Long.BYTES).order(order).putLong(oneOf).array();
      run.machine().update(map, new byte[Integer.BYTES], number);
      current = oneOf;
      run.results().accept(new Result.Sampled(oneOf));
    }
  }

  private String obstacle() {
    return SamplingPlan.of(compiled.script())
        .obstacle()
        .orElse("the trace was prepared without TraceOptions.allowingSampling()");
  }
}
