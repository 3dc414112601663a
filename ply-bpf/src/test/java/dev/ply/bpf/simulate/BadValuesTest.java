package dev.ply.bpf.simulate;

import static dev.ply.Values.number;
import static dev.ply.Values.scratch;
import static dev.ply.Values.variable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.ply.Probe;
import dev.ply.ProbeBuilder;
import dev.ply.Session;
import dev.ply.TraceOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Values that do not exist are refused where they are given, with a sentence. */
class BadValuesTest {
  private static final ProbeBuilder READS = Probe.kprobe("vfs_read");
  private static final Firing HIT = Firing.kprobe("vfs_read");
  private static final SimulatedTarget TARGET = SimulatedTarget.create();
  private static final TraceOptions OPTIONS = TraceOptions.DEFAULT;

  static Stream<ThrowingCallable> calls() {
    return Stream.of(
        () -> variable(""),
        () -> variable("a b"),
        () -> variable("@a-b"),
        () -> variable(":depth0"),
        () -> variable("$x"),
        () -> scratch(""),
        () -> scratch("$x"),
        () -> scratch("1"),
        () -> OPTIONS.withMapEntries(0),
        () -> OPTIONS.withMapEntries(-1),
        () -> OPTIONS.withBufferBytes(0),
        () -> OPTIONS.withBufferBytes(4095),
        () -> OPTIONS.withBufferBytes((1 << 30) + 1),
        () -> OPTIONS.withStackDepth(0),
        () -> OPTIONS.withStackDepth(128),
        () -> OPTIONS.withStringBytes(0),
        () -> OPTIONS.withSymbolBytes(-1),
        () -> OPTIONS.pinnedAt(Path.of("relative")),
        OPTIONS::stayingAttached,
        () -> READS.count().named(""),
        () -> READS.count().named("a b"),
        () -> READS.quantize(number(1), 0),
        () -> READS.quantize(number(1), 6),
        () -> READS.lhist(number(1), 5, 5, 1),
        () -> READS.lhist(number(1), 5, 4, 1),
        () -> READS.lhist(number(1), 0, 10, 0),
        () -> READS.lhist(number(1), 0, 10, -1),
        () -> READS.tseries(number(1), Duration.ZERO, 10),
        () -> READS.tseries(number(1), Duration.ofSeconds(1), 0),
        () -> READS.tseries(number(1), Duration.ofSeconds(1), 1001),
        () -> Probe.interval(Duration.ZERO),
        () -> Probe.interval(Duration.ofSeconds(-1)),
        () -> Probe.profile(0),
        () -> Probe.profile(-1, 99),
        () -> Probe.profile(Duration.ZERO),
        () -> Probe.tracepoint("openat"),
        () -> Probe.tracepoint(""),
        () -> Probe.kprobe(""),
        () -> Probe.rawTracepoint(""),
        () -> Probe.iterator(""),
        () -> Probe.test(""),
        () -> Probe.bench("a b"),
        () -> HIT.arg(-1, 1),
        () -> HIT.arg(-1, "text"),
        () -> HIT.register("", 1),
        () -> HIT.register("nonsense", 1),
        () -> HIT.field("", 1),
        () -> HIT.field("a b", "text"),
        () -> HIT.memory(1),
        () -> HIT.comm("a name of 16 byt"),
        () -> HIT.pid(-1),
        () -> HIT.tid(-1),
        () -> HIT.cpu(-1),
        () -> Firing.kprobe("vfs_*"),
        () -> Firing.kprobe(""),
        () -> Firing.tracepoint("sched:*"),
        () -> Firing.tracepoint("sched"),
        () -> Firing.rawTracepoint(""),
        () -> Firing.usdt("c", "p", "n", -1),
        () -> Firing.usdt("c", "", "n"),
        () -> Firing.usdt("c", "p", ""),
        () -> Firing.uprobe("", "f"),
        () -> Firing.uprobe("c", ""),
        () -> Firing.iterator(""),
        () -> TARGET.withThreadNameAt(-8),
        () -> TARGET.withThreadNameAt(3),
        () -> TARGET.withProcessorSlots(0),
        () -> TARGET.withProcessorSlots(3),
        () -> TARGET.withProcessorSlots(-4),
        () -> TARGET.withMark("c:p", ""),
        () -> TARGET.withMark("", ""),
        () -> TARGET.withFunctions(""),
        () -> TARGET.withFunctions("vfs_*"),
        () -> TARGET.withFunction("", 1),
        () -> TARGET.withUserFunctions("", "f"),
        () -> TARGET.withUserFunctions("c", ""));
  }

  @ParameterizedTest
  @MethodSource("calls")
  void refusedAtTheCall(ThrowingCallable call) {
    requireRefusal(call);
  }

  private static void requireRefusal(ThrowingCallable call) {
    Throwable thrown = catchThrowable(call);
    assertThat(thrown).isInstanceOf(IllegalArgumentException.class);
    assertThat(String.valueOf(thrown.getMessage())).contains(" ").doesNotContain("null");
  }

  @Test
  void whatTheTargetDoesNotHaveCannotFire() {
    var count = READS.count();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(count)) {
      requireRefusal(() -> tracer.fire(Firing.tracepoint("foo:bar")));
      requireRefusal(() -> tracer.fire(Firing.tracepoint("sched:no_such_event")));
      requireRefusal(() -> tracer.fire(HIT.cpu(4)));
      requireRefusal(() -> tracer.fire(HIT.register("x0", 1)));
      requireRefusal(() -> tracer.advance(Duration.ofNanos(-1)));
      requireRefusal(() -> tracer.advance(Duration.ofSeconds(Long.MAX_VALUE)));
      requireRefusal(() -> session.every(Duration.ZERO, count, table -> {}));
      requireRefusal(() -> session.table("@nothing"));
      requireRefusal(() -> session.read(variable("nothing")));
      requireRefusal(() -> session.run("test:none"));
      // What exists and is not probed is seen by nobody.
      tracer.fire(Firing.tracepoint("sched:sched_switch"));
      assertThat(session.read(count).isEmpty()).isTrue();
    }
  }

  @Property(tries = 50)
  void sizesOutOfRangeAreRefusedWhateverTheyAre(
      @ForAll @IntRange(min = Integer.MIN_VALUE, max = 0) int tooSmall,
      @ForAll @IntRange(min = 1001) int tooLarge) {
    Stream.<IntFunction<Object>>of(
            OPTIONS::withMapEntries,
            OPTIONS::withBufferBytes,
            OPTIONS::withStackDepth,
            OPTIONS::withStringBytes,
            Probe::profile,
            bits -> READS.quantize(number(1), bits),
            count -> READS.tseries(number(1), Duration.ofSeconds(1), count),
            step -> READS.lhist(number(1), 0, 10, step))
        .forEach(call -> requireRefusal(() -> call.apply(tooSmall)));
    Stream.<IntFunction<Object>>of(
            OPTIONS::withStackDepth,
            bits -> READS.quantize(number(1), bits),
            count -> READS.tseries(number(1), Duration.ofSeconds(1), count))
        .forEach(call -> requireRefusal(() -> call.apply(tooLarge)));
  }
}
