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
import dev.ply.result.Loss;
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
      assertThat(session.lost(Loss.UNPAIRED_CALLS)).isZero();
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
      assertThat(session.lost(Loss.UNPAIRED_CALLS)).isEqualTo(12);
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
      assertThat(session.lost(Loss.UNPAIRED_CALLS)).isEqualTo(6);
    }
  }

  private static final AggregateProbe<Long> OF_PROGRAM =
      Probe.uretprobe("c", "f").by(tid(), retval(), entry(arg(0))).count();

  private static final long TOP = 0x7ffd_0000_1000L;

  /** A call whose frame is {@code words} below the top of the thread's stack. */
  private static Firing framed(Firing firing, long words) {
    return firing.tid(7).register("rsp", TOP - 8 * words);
  }

  private static Firing begun(long words, long value) {
    return framed(Firing.uprobe("c", "f").arg(0, value), words);
  }

  /** The return has popped its address. */
  private static Firing ended(long words, long value) {
    return framed(Firing.uretprobe("c", "f").retval(value), words - 1);
  }

  private static void requirePairsOfProgram(Session session, int pairs) {
    var table = session.read(OF_PROGRAM);
    table.forEach(row -> assertThat(row.key().number(2)).isEqualTo(row.key().number(1)));
    assertThat(table.stream().mapToLong(row -> row.value()).sum()).isEqualTo(pairs);
  }

  @Test
  void callsThatAreLeftAreDroppedByTheNextAtTheirDepth() {
    try (var tracer = SimulatedTracer.create();
        var session = tracer.start(OF_PROGRAM)) {
      tracer.fire(begun(10, 1));
      for (int i = 0; i < 200; i++) {
        tracer.fire(begun(20, 1000 + i));
        tracer.fire(begun(20 + i, 2000 + i));
      }
      tracer.fire(begun(20, 2));
      tracer.fire(ended(20, 2));
      tracer.fire(ended(10, 1));
      requirePairsOfProgram(session, 2);
      assertThat(session.lost(Loss.UNPAIRED_CALLS)).isZero();
    }
  }

  @Test
  void callsThatAreLeftAreDroppedByTheReturnOfTheirCaller() {
    try (var tracer = SimulatedTracer.create();
        var session = tracer.start(OF_PROGRAM)) {
      for (int round = 1; round <= 100; round++) {
        tracer.fire(begun(10, round));
        for (int i = 1; i < 50; i++) {
          tracer.fire(begun(10 + 2 * i, 1000 + i));
        }
        tracer.fire(ended(10, round));
      }
      requirePairsOfProgram(session, 100);
      assertThat(session.lost(Loss.UNPAIRED_CALLS)).isZero();
    }
  }

  @Test
  void aFunctionThatIsCalledInsteadOfReturningIsNested() {
    try (var tracer = SimulatedTracer.create();
        var session =
            tracer
                .prepare(
                    PlyScript.parse(
                        "uretprobe:c:f, uretprobe:c:g { @[retval, entry(arg0)] = count(); }"))
                .start()) {
      tracer.fire(framed(Firing.uprobe("c", "f").arg(0, 1), 20).register("rip", 0x1001));
      tracer.fire(framed(Firing.uprobe("c", "g").arg(0, 2), 20).register("rip", 0x2001));
      tracer.fire(framed(Firing.uretprobe("c", "g").retval(2), 19));
      tracer.fire(framed(Firing.uretprobe("c", "f").retval(1), 19));
      assertThat(session.tables().get(0).table().rows().stream().map(row -> row.key().toString()))
          .containsExactlyInAnyOrder("1, 0x1", "2, 0x2");
    }
  }

  @Test
  void callsOnSeveralStacksArePaired() {
    try (var tracer = SimulatedTracer.create();
        var session = tracer.start(OF_PROGRAM)) {
      tracer.fire(begun(1000, 1));
      tracer.fire(begun(20, 2));
      tracer.fire(ended(1000, 1));
      tracer.fire(begun(1010, 3));
      tracer.fire(ended(20, 2));
      tracer.fire(ended(1010, 3));
      requirePairsOfProgram(session, 3);
      assertThat(session.lost(Loss.UNPAIRED_CALLS)).isZero();
    }
  }

  @Test
  void aReturnWithoutItsCallIsCountedRatherThanPaired() {
    try (var tracer = SimulatedTracer.create();
        var session = tracer.start(OF_PROGRAM)) {
      tracer.fire(begun(10, 1));
      tracer.fire(ended(20, 2));
      tracer.fire(ended(10, 1));
      requirePairsOfProgram(session, 1);
      assertThat(session.lost(Loss.UNPAIRED_CALLS)).isEqualTo(1);
    }
  }

  @Test
  void whatThreadsLeaveIsEvicted() {
    try (var tracer = SimulatedTracer.create();
        var session = tracer.start(OF_PROGRAM)) {
      for (int thread = 1; thread <= 20_000; thread++) {
        tracer.fire(begun(10, thread).tid(thread));
      }
      tracer.fire(begun(20, 1).tid(1));
      tracer.fire(ended(20, 1).tid(1));
      requirePairsOfProgram(session, 1);
      assertThat(session.lost(Loss.UNPAIRED_CALLS)).isZero();
      assertThat(session.lost(Loss.UPDATES)).isZero();
    }
  }

  /** Calls nest by frames of a random size; some are left, as by longjmp, to a caller's frame. */
  @Property(tries = 100)
  void whateverIsLeftTheRestIsPaired(
      @ForAll @Size(max = 150) List<@IntRange(max = 9) Integer> steps) {
    try (var tracer = SimulatedTracer.create();
        var session = tracer.start(OF_PROGRAM)) {
      Deque<Long> values = new ArrayDeque<>();
      Deque<Long> frames = new ArrayDeque<>();
      long value = 0;
      int pairs = 0;
      for (int step : steps) {
        long top = frames.isEmpty() ? 4 : frames.peek();
        if (step < 5 && values.size() < 60) {
          frames.push(top + 2 + step);
          values.push(++value);
          tracer.fire(begun(frames.peek(), value));
        } else if (step < 8 && !values.isEmpty()) {
          tracer.fire(ended(frames.pop(), values.pop()));
          pairs++;
        } else {
          for (int i = 0; i < step - 6 && !values.isEmpty(); i++) {
            frames.pop();
            values.pop();
          }
        }
      }
      requirePairsOfProgram(session, pairs);
      assertThat(session.lost(Loss.UNPAIRED_CALLS)).isZero();
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
      assertThat(session.lost(Loss.UNPAIRED_CALLS)).isZero();
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
            "\"latency\" is not available in kprobe:f: only offcpu and probes on the return of a function"
                + " have a latency",
            "\"entry\" is not available in interval:1s: only offcpu and probes on the return of a"
                + " function have an entry before it");
  }

  @Test
  void errorsInValuesOfTheEntryAreReportedOnce() {
    assertThat(
            errors("kretprobe:f, kretprobe:g { $x = 1; @[entry(retval), entry($x)] = count(); }"))
        .containsExactly(
            "\"retval\" is not available in kprobe:f: only a probe on the return of a function has"
                + " a return value",
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
