package dev.ply.bpf.session;

import static dev.ply.Values.arg;
import static dev.ply.Values.comm;
import static dev.ply.Values.field;
import static dev.ply.Values.str;
import static dev.ply.Values.ustack;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.AggregateProbe;
import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.TraceOptions;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.result.EndReason;
import dev.ply.result.Loss;
import dev.ply.table.Histogram;
import dev.ply.table.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Periods, ends and options of sessions. */
class SessionLifeTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final AggregateProbe<Long> READS = Probe.kprobe("vfs_read").by(comm()).count();
  private static final Firing READ = Firing.kprobe("vfs_read").comm("cat");

  @Test
  void eachUpdateIsInOnePeriod() {
    List<String> tables = new ArrayList<>();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(READS)) {
      session.every(SECOND, READS, delta -> tables.add(delta.toString()));
      tracer.fire(READ);
      tracer.fire(READ);
      tracer.advance(SECOND);
      tracer.advance(SECOND);
      tracer.fire(READ.comm("dd"));
      tracer.advance(Duration.ofSeconds(5));
      tracer.fire(READ);
      session.stop();
    }
    assertThat(tables).containsExactly("cat: 2", "", "dd: 1", "cat: 1");
  }

  @Test
  void closingDoesNotPassWhatRemains() {
    AggregateProbe<Histogram> sizes = Probe.kprobe("vfs_read").quantize(arg(2));
    List<Long> counts = new ArrayList<>();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(sizes)) {
      session.every(SECOND, sizes, delta -> delta.forEach(row -> counts.add(row.value().count())));
      tracer.fire(READ.arg(2, 7));
      tracer.advance(SECOND);
      tracer.fire(READ.arg(2, 7));
    }
    // Closing does not wait for what remains.
    assertThat(counts).containsExactly(1L);
  }

  @Test
  void anExceptionOfAPeriodicActionEndsTheTrace() {
    IllegalStateException thrown = new IllegalStateException("action");
    List<Throwable> errors = new ArrayList<>();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(READS)) {
      session.onError(errors::add);
      session.every(
          SECOND,
          READS,
          (Table<Long> delta) -> {
            throw thrown;
          });
      tracer.advance(SECOND);
      assertThat(session.end()).contains(new EndReason.Failed(thrown));
      assertThat(errors).containsExactly(thrown);
      assertThatThrownBy(session::stop).hasCause(thrown);
    }
  }

  @Test
  void theEndIsReportedOnceWithItsReason() {
    List<EndReason> ends = new ArrayList<>();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session exits = tracer.start(Probe.kprobe("vfs_read").exit(4));
        Session stops = tracer.start(READS)) {
      exits.onEnd(ends::add);
      stops.onEnd(ends::add);
      tracer.fire(READ);
      exits.stop();
      stops.stop();
      stops.onEnd(ends::add);
    }
    EndReason stopped = new EndReason.Stopped();
    assertThat(ends).containsExactly(new EndReason.Exited(4), stopped, stopped);
  }

  @Test
  void theStatusOfEndIsTheLast() {
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session =
            tracer.start(
                Probe.begin().exit(2), Probe.end().exit(4), Probe.kprobe("vfs_read").exit(3))) {
      tracer.fire(READ);
      assertThat(session.exitStatus()).hasValue(2);
      session.stop();
      assertThat(session.exitStatus()).hasValue(4);
    }
  }

  @Test
  void periodsAreLongerThanZeroAndBeginBeforeTheEnd() {
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(READS)) {
      assertThatThrownBy(() -> session.every(Duration.ZERO, READS, delta -> {}))
          .isInstanceOf(IllegalArgumentException.class);
      session.stop();
      assertThatThrownBy(() -> session.every(SECOND, READS, delta -> {}))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void optionsSetTheSizesOfMapsAndStrings() {
    TraceOptions options =
        TraceOptions.DEFAULT.withMapEntries(1).withStringBytes(4).withStackDepth(1);
    var paths = Probe.tracepoint("syscalls:sys_enter_openat").by(str(field("filename"))).count();
    try (SimulatedTracer tracer = SimulatedTracer.create(SimulatedTarget.create(), options);
        Session session = tracer.start(paths)) {
      Firing open = Firing.tracepoint("syscalls:sys_enter_openat");
      tracer.fire(open.field("filename", "/etc"));
      tracer.fire(open.field("filename", "abc"));
      assertThat(session.read(paths).get("/et")).contains(1L);
      assertThat(session.lost(Loss.UPDATES)).isEqualTo(1);
    }
    assertThatThrownBy(() -> TraceOptions.DEFAULT.withStringBytes(0))
        .hasMessage("a string has 1 to 16384 bytes, not 0");
  }

  @Test
  void symbolsOfProcessesCanBeOff() {
    var hot = Probe.kprobe("vfs_read").by(ustack()).count();
    try (SimulatedTracer tracer =
            SimulatedTracer.create(
                SimulatedTarget.create(), TraceOptions.DEFAULT.withoutSymbols());
        Session session = tracer.start(hot)) {
      tracer.fire(READ.userStack(0x10L));
      assertThat(session.read(hot).rows()).hasSize(1);
      assertThat(session.symbolShortage()).isEmpty();
    }
  }
}
