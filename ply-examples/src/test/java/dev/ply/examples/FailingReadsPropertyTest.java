package dev.ply.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.generate.Firings;
import dev.ply.bpf.generate.Numbers;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTracer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whoever reads, whatever comes of it: the probe counts what one would count by hand. */
class FailingReadsPropertyTest {
  /** Whose read it was, and its error. */
  private record Failure(String comm, long error) {}

  @Property(tries = 50)
  void everyFailureIsCountedAndNothingElse(@ForAll("reads") List<Firing> reads) {
    Map<Failure, Long> expected = new HashMap<>();
    try (var tracer = SimulatedTracer.create();
        var session = tracer.start(FailingReads.FAILURES)) {
      for (Firing read : reads) {
        tracer.fire(read);
        if (read.fields().get("ret") instanceof Long ret && ret < 0) {
          expected.merge(new Failure(read.circumstances().comm(), ret), 1L, Long::sum);
        }
      }
      var table = session.read(FailingReads.FAILURES);
      assertThat(table.size()).isEqualTo(expected.size());
      expected.forEach(
          (failure, count) ->
              assertThat(table.get(failure.comm(), failure.error())).contains(count));
    }
  }

  @Provide
  Arbitrary<List<Firing>> reads() {
    Firing read = Firing.tracepoint("syscalls:sys_exit_read");
    return Numbers.ints()
        .flatMap(ret -> Firings.byAnyone(read.field("ret", ret)))
        .list()
        .ofMaxSize(20);
  }
}
