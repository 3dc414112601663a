package dev.ply.examples.embed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Session;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.examples.embed.ScriptService.Problem;
import dev.ply.result.Loss;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The embedding programs on the simulated tracer. */
class EmbedTest {
  @Test
  void opensAreRecords() {
    List<Opens.Open> opens = new ArrayList<>();
    try (var tracer = SimulatedTracer.create();
        var session = tracer.prepare(Opens.OPENS).listen(Opens.OPENS, opens::add).start()) {
      tracer.fire(
          Firing.tracepoint("syscalls:sys_enter_openat")
              .comm("cat")
              .pid(7)
              .field("filename", "/etc/hosts"));
      assertThat(session.lost(Loss.EVENTS)).isZero();
    }
    assertThat(opens).containsExactly(new Opens.Open(7, "cat", "/etc/hosts"));
  }

  @Test
  void callsOfThisProcessAreCountedEachSecond() {
    List<Long> seconds = new ArrayList<>();
    Firing call =
        Firing.tracepoint("raw_syscalls:sys_enter").pid((int) ProcessHandle.current().pid());
    try (var tracer = SimulatedTracer.create();
        var session = tracer.start(OwnSystemCalls.CALLS)) {
      session.every(
          Duration.ofSeconds(1),
          OwnSystemCalls.CALLS,
          delta -> delta.forEach(row -> seconds.add(row.value())));
      tracer.fire(call);
      tracer.fire(call.pid(1));
      tracer.fire(call);
      tracer.advance(Duration.ofSeconds(1));
      tracer.fire(call);
      tracer.advance(Duration.ofSeconds(1));
    }
    assertThat(seconds).containsExactly(2L, 1L);
  }

  @Test
  void labelsOfPrometheusAreEscaped() {
    try (var tracer = SimulatedTracer.create();
        var session = tracer.start(PrometheusText.CALLS)) {
      tracer.fire(Firing.tracepoint("raw_syscalls:sys_enter").comm("a\"b\\\n"));
      tracer.fire(Firing.tracepoint("raw_syscalls:sys_enter").comm("cat"));
      tracer.fire(Firing.tracepoint("raw_syscalls:sys_enter").comm("cat"));
      assertThat(PrometheusText.exposition(session.read(PrometheusText.CALLS)))
          .isEqualTo(
              """
              # TYPE syscalls_total counter
              syscalls_total{comm="a\\"b\\\\\\\\n"} 1
              syscalls_total{comm="cat"} 2
              """);
    }
  }

  @Test
  void errorsOfScriptsHavePositionsAndResultsAreJson() {
    try (var service = new ScriptService(SimulatedTracer.create())) {
      assertThat(service.check("kprobe:vfs_read { @[cmm] = count(); }"))
          .containsExactly(
              new Problem(1, 21, 24, "\"cmm\" is not defined", List.of("did you mean \"comm\"?")));
      assertThat(service.check("BEGIN { @ = count() "))
          .extracting(Problem::message)
          .containsExactly("unexpected end of script, expected <statement> or \"}\"");
      assertThat(service.check("kprobe:vfs_read { @[comm] = count(); }")).isEmpty();
    }
  }

  @Test
  void mapsOfScriptsAreJson() {
    try (var tracer = SimulatedTracer.create();
        var service = new ScriptService(tracer);
        Session session = service.start("kprobe:vfs_read { @[comm] = count(); }")) {
      tracer.fire(Firing.kprobe("vfs_read").comm("cat"));
      assertThat(ScriptService.json(session))
          .isEqualTo("{\"@\": [{\"key\": [\"cat\"], \"value\": 1}]}");
    }
  }
}
