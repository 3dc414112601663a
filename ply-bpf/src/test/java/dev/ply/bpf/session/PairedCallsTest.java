package dev.ply.bpf.session;

import static dev.ply.Values.arg;
import static dev.ply.Values.entry;
import static dev.ply.Values.latency;
import static dev.ply.Values.retval;
import static dev.ply.Values.tid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.AggregateProbe;
import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.lang.PlyScript;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code latency} and {@code entry(…)} are when calls nest, miss their entry or are many. */
class PairedCallsTest {
  private static final AggregateProbe<Long> ENTRIES =
      Probe.kretprobe("f").by(tid(), retval(), entry(arg(0))).count();

  private static Firing call(int thread, long value) {
    return Firing.kprobe("f").tid(thread).arg(0, value);
  }

  private static Firing result(int thread, long value) {
    return Firing.kretprobe("f").tid(thread).retval(value);
  }

  /** Each call's result is its argument, so that pairs are right where both parts are equal. */
  private static void requirePairs(Session session, int pairs) {
    var table = session.read(ENTRIES);
    table.forEach(row -> assertThat(row.key().number(2)).isEqualTo(row.key().number(1)));
    assertThat(table.stream().mapToLong(row -> row.value()).sum()).isEqualTo(pairs);
  }

  @Test
  void recursiveCallsAreToldApartToDepth64() {
    try (var tracer = SimulatedTracer.create();
        var session = tracer.start(ENTRIES)) {
      for (int i = 1; i <= 64; i++) {
        tracer.fire(call(7, i));
      }
      for (int i = 64; i >= 1; i--) {
        tracer.fire(result(7, i));
      }
      requirePairs(session, 64);
      assertThat(session.unpairedCalls()).isZero();
    }
  }

  @Test
  void deeperCallsAreCountedAndOthersAreRight() {
    try (var tracer = SimulatedTracer.create();
        var session = tracer.start(ENTRIES)) {
      for (int round = 0; round < 2; round++) {
        for (int i = 1; i <= 70; i++) {
          tracer.fire(call(7, i));
        }
        for (int i = 70; i >= 1; i--) {
          tracer.fire(result(7, i));
        }
      }
      requirePairs(session, 128);
      assertThat(session.unpairedCalls()).isEqualTo(12);
    }
  }

  /** The kernel reports no return in user space of a call nested more than 64 deep. */
  @Test
  void deeperCallsInUserSpaceHaveNoReturns() {
    var probe = Probe.uretprobe("c", "f").by(retval(), entry(arg(0))).count();
    try (var tracer = SimulatedTracer.create();
        var session = tracer.start(probe)) {
      for (int i = 1; i <= 70; i++) {
        tracer.fire(Firing.uprobe("c", "f").arg(0, i));
      }
      for (int i = 64; i >= 1; i--) {
        tracer.fire(Firing.uretprobe("c", "f").retval(i));
      }
      assertThat(session.read(probe).size()).isEqualTo(64);
      session
          .read(probe)
          .forEach(row -> assertThat(row.key().number(1)).isEqualTo(row.key().number(0)));
      assertThat(session.unpairedCalls()).isEqualTo(6);
    }
  }

  @Test
  void callsThatBeganBeforeTheTraceAreNoHits() {
    try (var tracer = SimulatedTracer.create();
        var session = tracer.start(ENTRIES)) {
      tracer.fire(result(7, 3));
      tracer.fire(call(7, 5));
      tracer.fire(result(7, 5));
      tracer.fire(result(7, 4));
      requirePairs(session, 1);
      assertThat(session.unpairedCalls()).isZero();
    }
  }

  /** Interrupts on idle CPUs all run in threads with the ID 0. */
  @Test
  void idleThreadsAreToldApartByTheirProcessors() {
    try (var tracer = SimulatedTracer.create();
        var session = tracer.start(ENTRIES)) {
      tracer.fire(call(0, 1).cpu(0));
      tracer.fire(call(0, 2).cpu(1));
      tracer.fire(result(0, 1).cpu(0));
      tracer.fire(result(0, 2).cpu(1));
      requirePairs(session, 2);
    }
  }

  /** A hit takes a simulated microsecond. */
  @Test
  void theLatencyIsTheTimeBetweenEntryAndReturn() {
    var times = Probe.kretprobe("f").latency();
    var all = Probe.kretprobe("f").by(latency()).count();
    try (var tracer = SimulatedTracer.create();
        var session = tracer.start(times, all)) {
      tracer.fire(Firing.kprobe("f"));
      tracer.advance(Duration.ofNanos(300));
      tracer.fire(Firing.kprobe("f"));
      tracer.advance(Duration.ofNanos(70));
      tracer.fire(Firing.kretprobe("f"));
      tracer.advance(Duration.ofNanos(30));
      tracer.fire(Firing.kretprobe("f"));
      assertThat(session.read(all).rows().stream().map(row -> row.key().number(0)))
          .containsExactly(1070L, 3400L);
      assertThat(session.read(times).single().countOf(1070)).isEqualTo(1);
      assertThat(session.tables()).hasSize(2);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kretprobe:f / entry(arg0) == 3 / { @[entry(str(uptr(arg1), 8)), entry(arg0 + 1)] ="
            + " count(); }",
        "kretprobe:f, kretprobe:g / entry(arg0) == 3 / { if (retval == 0) { return; }"
            + " @[entry(str(uptr(arg1), 8)), entry(arg0 + 1)] = count(); }",
        "kretprobe:f { if (entry(arg0) > 3) { return; } @[entry(str(uptr(arg1), 8)), entry(arg0 +"
            + " 1)] = count(); } kretprobe:f { @sum = sum(entry(arg0)); } kprobe:f { @calls ="
            + " count(); }"
      })
  void valuesOfTheEntryAreAnyExpressions(String script) {
    try (var tracer = SimulatedTracer.create();
        var session = tracer.prepare(PlyScript.parse(script)).start()) {
      tracer.fire(Firing.kprobe("f").arg(0, 3).arg(1, "text"));
      tracer.fire(Firing.kprobe("f").arg(0, 4).arg(1, "other"));
      tracer.fire(Firing.kretprobe("f").retval(9));
      tracer.fire(Firing.kretprobe("f").retval(8));
      assertThat(session.tables().get(0).table().rows().stream().map(row -> row.key().toString()))
          .containsExactly("text, 4");
    }
  }

  @Test
  void bothAreOfReturnsOnly() {
    assertThat(errors("kprobe:f { @ = quantize(latency); } interval:1s { @a = entry(arg0); }"))
        .containsExactly(
            "there is no \"latency\" in kprobe:f: only a probe on the return of a function has a"
                + " latency",
            "there is no \"entry\" in interval:1s: only a probe on the return of a function has"
                + " an entry before it");
  }

  @Test
  void errorsInValuesOfTheEntryAreReportedOnce() {
    assertThat(
            errors("kretprobe:f, kretprobe:g { $x = 1; @[entry(retval), entry($x)] = count(); }"))
        .containsExactly(
            "there is no \"retval\" in kprobe:f: only a probe on the return of a function has a"
                + " return value",
            "variable \"$x\" has no value here");
    assertThat(errors("kretprobe:f { @ = quantize(entry()); @ = quantize(latency(1)); }"))
        .containsExactly(
            "\"entry\" takes 1 argument, found 0", "\"latency\" takes no arguments, found 1");
  }

  private static List<String> errors(String script) {
    try (var tracer = SimulatedTracer.create()) {
      tracer.prepare(PlyScript.parse(script));
      return List.of();
    } catch (CompilationException e) {
      return e.diagnostics().stream().map(Diagnostic::message).toList();
    }
  }

  /** In any order of calls and returns of three threads, each return has the values of its call. */
  @Property(tries = 100)
  void anyCallsArePaired(@ForAll @Size(max = 200) List<@IntRange(max = 5) Integer> steps) {
    try (var tracer = SimulatedTracer.create();
        var session = tracer.start(ENTRIES)) {
      Map<Integer, Deque<Long>> running = new HashMap<>();
      List<Long> values = new ArrayList<>();
      int pairs = 0;
      for (int step : steps) {
        int thread = step % 3;
        Deque<Long> calls = running.computeIfAbsent(thread, unused -> new ArrayDeque<>());
        if (step < 3 || calls.isEmpty()) {
          values.add((long) values.size());
          calls.push((long) values.size());
          tracer.fire(call(thread, values.size()).cpu(thread));
        } else {
          pairs += calls.size() <= 64 ? 1 : 0;
          tracer.fire(result(thread, calls.pop()).cpu(thread));
        }
      }
      requirePairs(session, pairs);
    }
  }
}
