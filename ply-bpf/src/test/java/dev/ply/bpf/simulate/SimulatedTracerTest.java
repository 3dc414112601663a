package dev.ply.bpf.simulate;

import static dev.ply.Values.arg;
import static dev.ply.Values.comm;
import static dev.ply.Values.cpu;
import static dev.ply.Values.field;
import static dev.ply.Values.nsecs;
import static dev.ply.Values.number;
import static dev.ply.Values.pid;
import static dev.ply.Values.retval;
import static dev.ply.Values.stack;
import static dev.ply.Values.str;
import static dev.ply.Values.text;
import static dev.ply.Values.tid;
import static dev.ply.Values.ustack;
import static dev.ply.Values.variable;
import static dev.ply.value.ProbeValues.regs;
import static dev.ply.value.StringValues.strcmp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.diagnostic.CompilationException;
import dev.ply.result.Loss;
import dev.ply.table.Datum;
import dev.ply.table.Datum.MissingStack.Side;
import dev.ply.table.Key;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SimulatedTracerTest {
  private final List<String> printed = new ArrayList<>();

  @Test
  void quantizesAnArgument() {
    var sizes = Probe.kprobe("vfs_read").quantize(arg(2));
    try (var tracer = SimulatedTracer.create();
        Session session = tracer.start(sizes)) {
      for (long size : new long[] {0, 1, 2, 3, 4096, 5000, -1}) {
        tracer.fire(Firing.kprobe("vfs_read").arg(2, size));
      }
      var histogram = session.read(sizes).single();
      assertThat(histogram.count(0)).isEqualTo(2);
      assertThat(histogram.count(1)).isEqualTo(2);
      assertThat(histogram.count(12)).isEqualTo(2);
      assertThat(histogram.count(63)).isEqualTo(1);
      assertThat(histogram.count()).isEqualTo(7);
    }
  }

  @Test
  void aPatternIsEachOfItsFunctions() {
    SimulatedTarget target = SimulatedTarget.create().withFunctions("ext4:ext4_read", "ext4_open");
    var reads = Probe.kprobe("*read").by(arg(0)).count();
    var ext4 = Probe.kretprobe("ext[0-9]:*").count();
    try (var tracer = SimulatedTracer.create(target);
        Session session = tracer.start(reads, ext4)) {
      tracer.fire(Firing.kprobe("vfs_read").arg(0, 1));
      tracer.fire(Firing.kprobe("ext4:ext4_read").arg(0, 2));
      tracer.fire(Firing.kprobe("ext4_open").arg(0, 3));
      tracer.fire(Firing.kretprobe("ext4:ext4_read"));
      assertThat(session.read(reads).get(1L)).contains(1L);
      assertThat(session.read(reads).get(2L)).contains(1L);
      assertThat(session.read(reads).size()).isEqualTo(2);
      assertThat(session.read(ext4).single()).isEqualTo(1);
      assertThat(session.notes()).isEmpty();
    }
  }

  @Test
  void aReturnIsTheSameHoweverManyCallsAreFollowed() {
    var few = Probe.kretprobe("vfs_read").count();
    var many = Probe.kretprobe("vfs_read", 64).count().named("many");
    try (var tracer = SimulatedTracer.create();
        Session session = tracer.start(few, many)) {
      tracer.fire(Firing.kretprobe("vfs_read"));
      assertThat(session.read(few).single()).isEqualTo(1);
      assertThat(session.read(many).single()).isEqualTo(1);
    }
  }

  @Test
  void manyPlacesShareAProgramUpToALimit() {
    String[] names = IntStream.range(0, 1024).mapToObj(i -> "many_" + i).toArray(String[]::new);
    SimulatedTarget target = SimulatedTarget.create().withFunctions(names);
    TraceCompiler compiler = new TraceCompiler(target, CompilerOptions.DEFAULT);
    BpfObject object = compiler.compile(Probe.script(List.of(Probe.kprobe("many_*").count())));
    assertThat(object.programs()).hasSize(1);
    assertThat(object.programs().get(0).sites()).hasSize(1024);
    assertThat(object.programs().get(0).title())
        .isEqualTo("kprobe:many_0, kprobe:many_1, kprobe:many_10 and 1021 more");

    List<Probe> one = List.of(Probe.kprobe("many_*").count(), Probe.kprobe("vfs_read").count());
    assertThatThrownBy(() -> compiler.compile(Probe.script(one)))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("kprobe:vfs_read brings this script to 1025 probe sites");
  }

  @Test
  void onlySinglePlacesFire() {
    assertThatThrownBy(() -> Firing.kprobe("vfs_*"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("\"vfs_*\" selects many functions: fire one");
    assertThatThrownBy(() -> Firing.tracepoint("sched:*"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("\"sched:*\" selects many tracepoints: fire one");
    assertThatThrownBy(() -> Probe.kretprobe("vfs_read+4"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not at an offset");
  }

  @Test
  void countsByKeysWhereAPredicateHolds() {
    var failures =
        Probe.kretprobe("vfs_read").where(retval().lt(0)).by(pid(), comm(), retval()).count();
    try (var tracer = SimulatedTracer.create();
        Session session = tracer.start(failures)) {
      Firing cat = Firing.kretprobe("vfs_read").comm("cat").pid(7);
      tracer.fire(cat.retval(-9));
      tracer.fire(cat.retval(-9).cpu(3));
      tracer.fire(cat.retval(0));
      tracer.fire(cat.retval(-5));
      assertThat(session.read(failures).get(7, "cat", -9)).contains(2L);
      assertThat(session.read(failures).get(7, "cat", -5)).contains(1L);
      assertThat(session.read(failures).size()).isEqualTo(2);
    }
  }

  @Test
  void measuresLatencyWithAVariable() {
    var begun = variable("begun", tid());
    var entry = Probe.kprobe("vfs_read").set(begun, nsecs());
    var latency =
        Probe.kretprobe("vfs_read").where(begun.isSet()).by(comm()).quantize(nsecs().minus(begun));
    var forget = Probe.kretprobe("vfs_read").unset(begun);
    try (var tracer = SimulatedTracer.create();
        Session session = tracer.start(entry, latency, forget)) {
      tracer.fire(Firing.kretprobe("vfs_read").comm("dd"));
      tracer.fire(Firing.kprobe("vfs_read").comm("dd"));
      tracer.fire(Firing.kretprobe("vfs_read").comm("dd"));
      tracer.fire(Firing.kretprobe("vfs_read").comm("dd"));
      assertThat(session.read(latency).get("dd").orElseThrow().count()).isEqualTo(1);
      assertThat(session.read(latency).get("dd").orElseThrow().countOf(1000)).isEqualTo(1);
    }
  }

  @Test
  void readsRegistersByName() {
    var places = Probe.kprobe("vfs_read").by(regs("rip"), regs("rdi")).count();
    try (var tracer = SimulatedTracer.create();
        Session session = tracer.start(places)) {
      tracer.fire(Firing.kprobe("vfs_read").register("rip", 0xffff_ffff_8100_0001L).arg(0, 7));
      assertThat(session.read(places)).hasToString("0xffffffff81000001, 0x7: 1");
    }
  }

  @Test
  void aRegisterThatTheMachineLacksIsNamed() {
    try (var tracer = SimulatedTracer.create();
        Session session = tracer.start(Probe.kprobe("vfs_read").count())) {
      Firing firing = Firing.kprobe("vfs_read").register("x0", 1);
      assertThatThrownBy(() -> tracer.fire(firing))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("x86_64 has no register \"x0\"");
      assertThat(session.exitStatus()).isEmpty();
    }
  }

  @Test
  void equalStackTracesAreOneKey() {
    var stacks = Probe.kprobe("vfs_read").by(stack()).count();
    try (var tracer = SimulatedTracer.create();
        Session session = tracer.start(stacks)) {
      tracer.fire(Firing.kprobe("vfs_read").stack(0x10L, 0x20L));
      tracer.fire(Firing.kprobe("vfs_read").stack(0x10L, 0x20L));
      tracer.fire(Firing.kprobe("vfs_read").stack(0x10L));
      Map<List<Long>, Long> counts = new HashMap<>();
      session.read(stacks).forEach(row -> counts.put(addresses(row.key()), row.value()));
      assertThat(counts).isEqualTo(Map.of(List.of(0x10L, 0x20L), 2L, List.of(0x10L), 1L));
      assertThat(session.lost(Loss.STACKS)).isZero();
    }
  }

  private static List<Long> addresses(Key key) {
    return ((Datum.Stack) key.parts().get(0)).addresses();
  }

  @Test
  void aMarkInSeveralPlacesIsReadInEachAsItIsThere() {
    var target = SimulatedTarget.create().withMark("/x:p:n", "1@%dil").withMark("/x:p:n", "1@$7");
    var passes = Probe.usdt("/x", "p:n").by(arg(0)).count();
    var all = Probe.usdt(Path.of("/x"), "p:n").count().named("all");
    try (var tracer = SimulatedTracer.create(target);
        Session session = tracer.start(passes, all)) {
      tracer.fire(Firing.usdt("/x", "p", "n", 0).register("rdi", 5));
      tracer.fire(Firing.usdt("/x", "p", "n", 1));
      tracer.fire(Firing.usdt("/x", "p", "n", 1));
      assertThat(session.read(passes)).hasToString("5: 1\n7: 2");
      assertThat(session.read(all).single()).isEqualTo(3);
    }
  }

  @Test
  void stackTracesBeyondTheRoomForThemAreCounted() {
    var stacks = Probe.kprobe("vfs_read").by(stack()).count();
    int room = 1 << 14;
    try (var tracer = SimulatedTracer.create();
        Session session = tracer.start(stacks)) {
      for (long address = 1; address <= room + 3; address++) {
        tracer.fire(Firing.kprobe("vfs_read").stack(address));
      }
      tracer.fire(Firing.kprobe("vfs_read"));
      assertThat(session.lost(Loss.STACKS)).isEqualTo(3);
    }
  }

  @Test
  void aMissingStackTraceIsNoNumber() {
    var stacks = Probe.kprobe("vfs_read").by(ustack()).count();
    try (var tracer = SimulatedTracer.create();
        Session session = tracer.start(stacks)) {
      tracer.fire(Firing.kprobe("vfs_read").pid(7));
      assertThat(session.read(stacks))
          .extracting(row -> row.key().parts().get(0))
          .containsExactly(new Datum.MissingStack(7, -14, Side.USER));
    }
  }

  @Test
  void samplesEveryProcessorOrOne() {
    var all = Probe.profile(100).by(cpu()).count().named("all");
    var one = Probe.profile(2, 10).by(cpu()).count().named("one");
    var slow = Probe.profile(Duration.ofMillis(500)).count().named("slow");
    try (var tracer = SimulatedTracer.create();
        Session session = tracer.start(all, one, slow)) {
      tracer.advance(Duration.ofSeconds(1));
      assertThat(session.read(all)).hasToString("0: 100\n1: 100\n2: 100\n3: 100");
      assertThat(session.read(one)).hasToString("2: 10");
      assertThat(session.read(slow).single()).isEqualTo(8);
    }
  }

  @Test
  void aProfileOfAProcessorThatIsNotThereIsRefused() {
    try (var tracer = SimulatedTracer.create()) {
      var prepared = tracer.prepare(Probe.profile(4, 99).count());
      assertThatThrownBy(prepared::start)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("profile:4:99hz: the simulated machine has CPUs 0 to 3");
    }
  }

  @Test
  void comparesTexts() {
    var hits = Probe.tracepoint("raw_syscalls:sys_enter").where(strcmp(comm(), "dd").not()).count();
    var others =
        Probe.tracepoint("raw_syscalls:sys_enter").where(comm().ne("dd")).by(comm()).count();
    var order =
        Probe.tracepoint("raw_syscalls:sys_enter")
            .by(strcmp(comm(), "dd"), strcmp(text("zz"), comm()))
            .count();
    try (var tracer = SimulatedTracer.create();
        Session session = tracer.start(hits, others.named("others"), order)) {
      for (String name : List.of("dd", "ddd", "d", "dd", "sh", "")) {
        tracer.fire(Firing.tracepoint("raw_syscalls:sys_enter").comm(name));
      }
      assertThat(session.read(hits).single()).isEqualTo(2);
      assertThat(session.read(order).get(0, 1)).contains(2L);
      assertThat(session.read(order).get(-1, 1)).contains(2L);
      assertThat(session.read(order).get(1, 1)).contains(2L);
    }
  }

  @Test
  void printsFieldsAndStrings() {
    var opens =
        Probe.tracepoint("syscalls:sys_enter_openat")
            .printf("%s %d %s %d\n", comm(), pid(), str(field("filename")), field("dfd"));
    var print =
        Probe.tracepoint("syscalls:sys_enter_openat").print(pid(), str(field("filename"), 16));
    try (var tracer = SimulatedTracer.create();
        Session session = tracer.prepare(opens, print).printTo(printed::add).start()) {
      tracer.fire(
          Firing.tracepoint("syscalls:sys_enter_openat")
              .comm("cat")
              .pid(42)
              .field("dfd", -100)
              .field("filename", "/etc/hostname"));
      assertThat(printed).containsExactly("cat 42 /etc/hostname -100\n", "42, /etc/hostname\n");
      assertThat(session.lost(Loss.EVENTS)).isZero();
    }
  }

  @Test
  void runsBeginFirstAndEndLast() throws InterruptedException {
    var counter = variable("n", number(0));
    var trace =
        List.of(
            Probe.begin().print(text("begin")),
            Probe.interval(Duration.ofMillis(100)).set(counter, counter.plus(1)),
            Probe.interval(Duration.ofMillis(100)).where(counter.eq(3)).exit(5),
            Probe.end().printf("end %d\n", counter));
    try (var tracer = SimulatedTracer.create();
        Session session = tracer.prepare(trace).printTo(printed::add).start()) {
      assertThat(session.await(Duration.ZERO)).isFalse();
      tracer.advance(Duration.ofSeconds(1));
      assertThat(session.await(Duration.ZERO)).isTrue();
      session.stop();
      assertThat(session.exitStatus()).hasValue(5);
      assertThat(printed).containsExactly("begin\n", "end 10\n");
    }
  }

  @Test
  void runsProbesOfItsOwnWhenAsked() {
    var counter = variable("n", number(0));
    var trace =
        List.of(
            Probe.begin().set(counter, number(0)),
            Probe.userSignal().set(counter, counter.plus(1)),
            Probe.test("status").where(counter.gt(20)).exit(4),
            Probe.bench("adding").set(counter, counter.plus(10)));
    try (var tracer = SimulatedTracer.create();
        Session session = tracer.prepare(trace).start()) {
      assertThat(session.run("self:signal:SIGUSR1")).isEmpty();
      assertThat(session.run("test:status")).isEmpty();
      assertThat(session.measure("bench:adding", 3)).isPositive();
      assertThat(session.run("test:status")).hasValue(4);
      assertThat(session.exitStatus()).hasValue(4);
      assertThatThrownBy(() -> session.run("BEGIN")).isInstanceOf(IllegalArgumentException.class);
      session.stop();
      assertThatThrownBy(() -> session.run("test:status")).hasMessage("the trace was stopped");
    }
  }

  @Test
  void reportsFullMapsInsteadOfLosingInSilence() {
    var byPid = Probe.kprobe("f").by(pid()).count();
    try (var tracer = SimulatedTracer.create();
        Session session = tracer.start(byPid)) {
      for (int i = 0; i < 5000; i++) {
        tracer.fire(Firing.kprobe("f").pid(i));
      }
      assertThat(session.read(byPid).size()).isEqualTo(4096);
      assertThat(session.lost(Loss.UPDATES)).isEqualTo(5000 - 4096);
    }
  }

  @Test
  void negativeConstantsAreWhatTheySayWhateverTheirSize() {
    long[] constants = {
      -1, Integer.MIN_VALUE, -3_000_000_000L, -0xffff_ffffL, -0x1_0000_0000L, Long.MIN_VALUE
    };
    for (long constant : constants) {
      var sum = Probe.kprobe("f").sum(number(constant));
      try (var tracer = SimulatedTracer.create();
          Session session = tracer.start(sum)) {
        tracer.fire(Firing.kprobe("f"));
        assertThat(session.read(sum).single()).isEqualTo(constant);
      }
    }
  }

  @Test
  void oneValueMayBeTestedAndPrinted() {
    var counter = variable("n");
    var begin = Probe.begin().set(counter, number(3));
    var shown = Probe.kprobe("f").where(counter.eq(3)).print(counter);
    try (var tracer = SimulatedTracer.create();
        Session session = tracer.prepare(begin, shown).printTo(printed::add).start()) {
      tracer.fire(Firing.kprobe("f"));
      assertThat(session.lost(Loss.EVENTS)).isZero();
      assertThat(printed).containsExactly("\nn: 3\n\n");
    }
  }

  @Test
  void aTextInAMapEqualsWhateverStoodBehindItsEnd() {
    var last = variable("last", number(1));
    var point = "sched:sched_switch";
    var store = Probe.tracepoint(point).set(last, field("prev_comm"));
    var same = Probe.tracepoint(point).where(last.eq("ab")).count();
    try (var tracer = SimulatedTracer.create();
        Session session = tracer.start(store, same)) {
      tracer.fire(Firing.tracepoint(point).field("prev_comm", "ab\0left"));
      assertThat(session.read(same).single()).isEqualTo(1);
    }
  }
}
