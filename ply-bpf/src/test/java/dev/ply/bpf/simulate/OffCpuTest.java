package dev.ply.bpf.simulate;

import static dev.ply.Values.comm;
import static dev.ply.Values.latency;
import static dev.ply.Values.pid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.diagnostic.CompilationException;
import dev.ply.lang.PlyScript;
import dev.ply.probe.OffCpuProbe;
import dev.ply.result.Loss;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that run again after they were off the CPU. */
@Tag("any-java")
class OffCpuTest {
  private static final int RUNNABLE = 0;
  private static final int SLEEPING = 1;
  private static final int ZOMBIE = 0x20;
  private static final int PREEMPTED = 0x100;

  private final SimulatedTracer tracer = SimulatedTracer.create();

  /** One thread leaves the CPU, another one runs. */
  private void switched(int from, int state, int to) {
    tracer.fire(
        Firing.tracepoint("sched:sched_switch")
            .pid(from)
            .comm("thread " + from)
            .field("prev_pid", from)
            .field("prev_state", state)
            .field("next_pid", to));
  }

  @Test
  void aClauseSeesTheThreadThatRunsAgain() {
    var waits = Probe.offCpu().by(pid(), comm()).sum(latency());
    try (Session session = tracer.start(waits)) {
      switched(7, SLEEPING, 8);
      tracer.advance(Duration.ofMillis(3));
      switched(8, SLEEPING, 7);
      tracer.advance(Duration.ofMillis(2));
      switched(7, RUNNABLE, 8);
      assertThat(session.read(waits).get(7L, "thread 7").orElseThrow())
          .isBetween(3_000_000L, 3_010_000L);
      assertThat(session.read(waits).get(8L, "thread 8").orElseThrow())
          .isBetween(2_000_000L, 2_010_000L);
      assertThat(session.read(waits).size()).isEqualTo(2);
    }
  }

  @Test
  void reasonsAreTold() {
    var blocked = Probe.offCpu(OffCpuProbe.Reason.BLOCKED).by(pid()).count().named("blocked");
    var preempted = Probe.offCpu(OffCpuProbe.Reason.PREEMPTED).by(pid()).count().named("preempted");
    try (Session session = tracer.start(blocked, preempted)) {
      for (int state : List.of(SLEEPING, RUNNABLE, PREEMPTED)) {
        switched(7, state, 0);
        switched(0, RUNNABLE, 7);
      }
      assertThat(session.read(blocked).get(7L)).contains(1L);
      assertThat(session.read(preempted).get(7L)).contains(2L);
      assertThat(session.read(preempted).size()).isEqualTo(1);
    }
  }

  /** Its ID can be that of a new thread. */
  @Test
  void aThreadThatEndsIsNotOff() {
    var waits = Probe.offCpu().by(pid()).count();
    try (Session session = tracer.start(waits)) {
      switched(7, ZOMBIE, 8);
      switched(8, SLEEPING, 7);
      assertThat(session.read(waits).size()).isZero();
    }
  }

  @Test
  void conditionsAreOnTheThreadAndItsTime() {
    String script =
        """
        offcpu / pid == 7 && latency > 1ms && entry(cpu) == cpu / { @[probe, pid] = count(); }
        """;
    try (Session session = tracer.start(PlyScript.parse(script))) {
      for (int micros : List.of(900, 1100)) {
        switched(7, SLEEPING, 8);
        tracer.advance(Duration.ofNanos(micros * 1000L));
        switched(8, SLEEPING, 7);
      }
      assertThat(session.table("@").rows()).hasSize(1);
      assertThat(session.table("@").rows().get(0).key()).hasToString("offcpu, 7");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"args.prev_pid", "arg0", "retval", "reg(\"sp\")"})
  void theEventIsNotReadable(String value) {
    assertThatThrownBy(() -> tracer.start(PlyScript.parse("offcpu { @ = " + value + "; }")))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("is not available in offcpu")
        .hasMessageContaining("it has latency");
  }

  @Test
  void namesAreThoseOfTheProbe() {
    String script = "offcpu:blocked { @[probe, func, probetype] = count(); }";
    try (Session session = tracer.start(PlyScript.parse(script))) {
      switched(7, SLEEPING, 8);
      switched(8, SLEEPING, 7);
      assertThat(session.table("@").rows().get(0).key())
          .hasToString("offcpu:blocked, blocked, offcpu");
    }
  }

  @Test
  void aStackIsMeasuredWhereTheThreadLeft() {
    String script = "offcpu { $s = stack; @[len(ustack), len($s)] = count(); }";
    try (Session session = tracer.start(PlyScript.parse(script))) {
      tracer.fire(
          Firing.tracepoint("sched:sched_switch")
              .pid(7)
              .stack(1L, 2L, 3L)
              .userStack(4L, 5L)
              .field("prev_pid", 7)
              .field("prev_state", SLEEPING)
              .field("next_pid", 8));
      switched(8, SLEEPING, 7);
      assertThat(session.table("@").rows().get(0).key()).hasToString("2, 3");
    }
  }

  @Test
  void threadsBeyondTheMapAreCountedAsLost() {
    var waits = Probe.offCpu().by(pid()).count();
    int most = OffCpuProbe.MOST_THREADS;
    try (Session session = tracer.start(waits)) {
      for (int thread = 1; thread <= most + 2; thread++) {
        switched(thread, SLEEPING, thread + 1);
      }
      assertThat(session.lost(Loss.UPDATES)).isEqualTo(2);
      // The first one runs again and leaves room.
      switched(most + 3, SLEEPING, 1);
      switched(1, SLEEPING, 2);
      assertThat(session.read(waits).get(1L)).contains(1L);
    }
  }
}
