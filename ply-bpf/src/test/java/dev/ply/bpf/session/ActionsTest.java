package dev.ply.bpf.session;

import static dev.ply.Actions.set;
import static dev.ply.Actions.unset;
import static dev.ply.ControlActions.exit;
import static dev.ply.ControlActions.leave;
import static dev.ply.ControlActions.when;
import static dev.ply.OutputActions.clear;
import static dev.ply.OutputActions.print;
import static dev.ply.OutputActions.printf;
import static dev.ply.Values.arg;
import static dev.ply.Values.field;
import static dev.ply.Values.number;
import static dev.ply.Values.pid;
import static dev.ply.Values.variable;
import static dev.ply.Values.walltime;
import static dev.ply.value.MemoryValues.dyn;
import static dev.ply.value.MemoryValues.kernelAddress;
import static dev.ply.value.MemoryValues.mem;
import static dev.ply.value.MemoryValues.userAddress;
import static dev.ply.value.ProbeValues.ctx;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.ir.IrPrinter;
import dev.ply.lang.PlyScript;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Probes that perform several actions, and the scripts that say the same. */
class ActionsTest {
  private static void assertTwins(String script, Probe... probes) {
    assertThat(IrPrinter.print(Probe.script(List.of(probes))))
        .isEqualTo(IrPrinter.print(PlyScript.parse(script)));
  }

  @Test
  void whatAScriptSaysTheFluentApiSays() {
    var m = variable("m", pid());
    var calls = Probe.kprobe("f").by(pid()).count().named("calls");
    assertTwins(
        """
        kprobe:f { @calls[pid] = count(); }
        kprobe:f {
          if (pid == 1) { return; }
          m[pid] = arg0; printf("%v\\n", mem(arg0)); delete m[pid];
        }
        interval:1s { print(@calls); clear(@calls); clear(m); exit(3); }
        kprobe:f { print(mem(uptr(arg0), 8), mem(kptr(arg0), 16), ctx, walltime); }
        t:sched/sched_process_exec { print(dyn(data->filename), dyn(data->filename, 16)); }
        """,
        calls,
        Probe.kprobe("f")
            .run(when(pid().eq(1), leave()), set(m, arg(0)), printf("%v\n", mem(arg(0))), unset(m)),
        Probe.interval(Duration.ofSeconds(1)).run(print(calls), clear(calls), clear(m), exit(3)),
        Probe.kprobe("f")
            .print(mem(userAddress(arg(0)), 8), mem(kernelAddress(arg(0)), 16), ctx(), walltime()),
        Probe.tracepoint("sched:sched_process_exec")
            .print(dyn(field("filename")), dyn(field("filename"), 16)));
  }

  @Test
  void aMapIsClearedWhereTheScriptSaysSo() {
    var calls = Probe.kprobe("f").count().named("calls");
    var reset = Probe.kretprobe("f").clear(calls);
    try (var tracer = SimulatedTracer.create();
        Session session = tracer.start(calls, reset)) {
      tracer.fire(Firing.kprobe("f"));
      tracer.fire(Firing.kprobe("f").cpu(2));
      assertThat(session.read(calls).single()).isEqualTo(2);
      tracer.fire(Firing.kretprobe("f"));
      assertThat(session.read(calls).isEmpty()).isTrue();
      tracer.fire(Firing.kprobe("f"));
      assertThat(session.read(calls).single()).isEqualTo(1);
    }
  }

  @Test
  void leavingAProbeLeavesNoOther() {
    var count = variable("n", number(0));
    var first = Probe.kprobe("f").run(when(pid().eq(5), leave()), set(count, number(1)));
    var second = Probe.kprobe("f").count();
    try (var tracer = SimulatedTracer.create();
        Session session = tracer.start(first, second)) {
      tracer.fire(Firing.kprobe("f").pid(5));
      assertThat(session.tables().get(0).table().isEmpty()).isTrue();
      assertThat(session.read(second).single()).isEqualTo(1);
    }
  }

  @Test
  void whatHasNoNameCannotBeNamed() {
    var calls = Probe.kprobe("f").count();
    assertThatThrownBy(() -> Probe.kretprobe("f").clear(calls))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("named(…)");
  }
}
