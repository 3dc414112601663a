package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.Session;
import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.diagnostic.CompilationException;
import dev.ply.lang.PlyScript;
import dev.ply.lang.print.ScriptPrinter;
import dev.ply.machine.Architecture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The kind of probe as a pattern. */
class ProbeKindsTest {
  private static final SimulatedTarget TARGET = Stage.target(Architecture.X86_64);

  @ParameterizedTest
  @CsvSource({
    "t*point:sched:sched_switch, 1",
    "t*:sched_switch*, 1",
    "tracepoint:*sched_switch, 1",
    "*t:sched:sched_switch, 1",
    "*:sched:sched_switch, 1",
    "*:*sched_switch, 2",
  })
  void aTracepointIsOneOfTheKinds(String definition, long hits) {
    try (SimulatedTracer tracer = SimulatedTracer.create(TARGET);
        Session session = tracer.start(PlyScript.parse(definition + " { @ = count(); }"))) {
      tracer.fire(Firing.tracepoint("sched:sched_switch"));
      if (hits > 1) {
        tracer.fire(Firing.rawTracepoint("sched_switch"));
      }
      session.stop();
      assertThat(session.tables().get(0).table().rows().get(0).value().toString())
          .contains(Long.toString(hits));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*:*sched_switch { @ = count(); }",
        "*:/bin/sh:main, BEGIN { @ = count(); }",
        "*point:sched:sched_switch / pid == 1 / { @ = count(); }",
      })
  void aDefinitionIsPrintedAsItWasRead(String script) {
    String printed = ScriptPrinter.print(PlyScript.parse(script));
    assertThat(printed).startsWith(script.substring(0, script.indexOf(' ') - 1));
    assertThat(ScriptPrinter.print(PlyScript.parse(printed))).isEqualTo(printed);
  }

  @Test
  void whatNoKindHasIsAnError() {
    assertThatThrownBy(() -> prepare("*:*nosuchthing { }"))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("no provider has a probe of this name");
    assertThatThrownBy(() -> prepare("x*:f { }"))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("unknown provider \"x*\"");
    assertThatThrownBy(() -> prepare("*ware:f { }"))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("is not a probe of any provider that");
  }

  private static void prepare(String script) {
    try (SimulatedTracer tracer = SimulatedTracer.create(TARGET)) {
      tracer.start(PlyScript.parse(script)).close();
    }
  }

  @Test
  void watchpointsAreDetachedByTheirAddress() {
    String script =
        "watchpoint:0x1000:8:w { @one++; if (pid == 2) { unwatch(0x1000); } }"
            + " watchpoint:0x2000:8:w { @two++; }";
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(PlyScript.parse(script))) {
      for (int pid = 1; pid < 5; pid++) {
        tracer.fire(Firing.watchpoint("0x1000:8:w").pid(pid));
        tracer.fire(Firing.watchpoint("0x2000:8:w").pid(pid));
      }
      assertThat(session.table("@one").toString()).contains("2");
      assertThat(session.table("@two").toString()).contains("4");
    }
  }
}
