package dev.ply.bpf.session;

import static dev.ply.Values.arg;
import static dev.ply.Values.comm;
import static dev.ply.Values.cpu;
import static dev.ply.Values.field;
import static dev.ply.Values.nsecs;
import static dev.ply.Values.number;
import static dev.ply.Values.pid;
import static dev.ply.Values.probe;
import static dev.ply.Values.retval;
import static dev.ply.Values.stack;
import static dev.ply.Values.str;
import static dev.ply.Values.time;
import static dev.ply.Values.ustack;
import static dev.ply.Values.walltime;
import static dev.ply.value.MemoryValues.mem;
import static dev.ply.value.NetworkValues.ntop;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.EventProbe;
import dev.ply.PreparedTrace;
import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.TraceFailedException;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.bpf.stream.EventQueue;
import dev.ply.result.EndReason;
import dev.ply.result.Loss;
import dev.ply.table.Stack;
import dev.ply.type.Numbered;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Records as events: what arrives, in which forms, and what ends them. */
class EventProbeTest {
  private record Open(Duration time, int pid, String comm, String path) {}

  private static final EventProbe<Open> OPENS =
      Probe.tracepoint("syscalls:sys_enter_openat")
          .emit(Open.class, time(), pid(), comm(), str(field("filename")));

  private static Firing open(int pid, String path) {
    return Firing.tracepoint("syscalls:sys_enter_openat")
        .comm("cat")
        .pid(pid)
        .field("filename", path);
  }

  @Test
  void aRecordIsAnEvent() {
    List<Open> seen = new ArrayList<>();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.prepare(OPENS).listen(OPENS, seen::add).start()) {
      tracer.fire(open(7, "/etc/hosts"));
      tracer.fire(open(8, ""));
      assertThat(session.lost(Loss.DROPPED)).isZero();
    }
    assertThat(seen).extracting(Open::pid).containsExactly(7, 8);
    assertThat(seen).extracting(Open::comm).containsOnly("cat");
    assertThat(seen).extracting(Open::path).containsExactly("/etc/hosts", "");
    assertThat(seen.get(0).time()).isPositive().isLessThan(seen.get(1).time());
  }

  @Test
  void aStringThatIsCutSaysSo() {
    List<Open> seen = new ArrayList<>();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.prepare(OPENS).listen(OPENS, seen::add).start()) {
      tracer.fire(open(7, "/" + "a".repeat(126)));
      tracer.fire(open(7, "/" + "a".repeat(127)));
      assertThat(session.end()).isEmpty();
    }
    assertThat(seen)
        .extracting(Open::path)
        .containsExactly("/" + "a".repeat(126), "/" + "a".repeat(126) + "..");
  }

  private enum State implements Numbered {
    ESTABLISHED(1),
    LISTEN(10),
    UNKNOWN(-1);

    private final long number;

    State(long number) {
      this.number = number;
    }

    @Override
    public long number() {
      return number;
    }
  }

  private enum Order {
    FIRST,
    SECOND,
    UNKNOWN
  }

  private record Endpoint(InetAddress address, int port) {}

  @SuppressWarnings("ArrayRecordComponent") // memory has no other type
  private record Everything(
      boolean isPositive,
      byte small,
      short medium,
      char letter,
      int whole,
      long large,
      Long boxed,
      String name,
      String site,
      byte[] raw,
      Instant at,
      Duration took,
      State state,
      State other,
      Order order,
      Endpoint from,
      InetAddress unspecified,
      Stack kernel,
      Stack user) {}

  @Test
  void componentsHaveTheTypesOfTheirRecord() throws Exception {
    var probe =
        Probe.kprobe("vfs_read")
            .emit(
                Everything.class,
                arg(0),
                arg(1).cast("s8"),
                arg(1).cast("s16"),
                arg(3).cast("u16"),
                arg(1).cast("s32"),
                arg(1),
                arg(1).cast("s64"),
                comm(),
                probe(),
                mem(arg(2), 4),
                walltime(),
                nsecs().minus(nsecs()),
                number(10),
                number(11),
                number(1),
                ntop(number(0x0100007f)),
                arg(3).cast("u16"),
                ntop(number(0), mem(arg(2), 4)),
                stack(),
                ustack());
    List<Everything> seen = new ArrayList<>();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.prepare(probe).listen(probe, seen::add).start()) {
      tracer.fire(
          Firing.kprobe("vfs_read")
              .comm("dd")
              .arg(0, 4096)
              .arg(1, -2)
              .arg(2, 0xffff_8880_0000_1000L)
              .arg(3, 'x')
              .memory(0xffff_8880_0000_1000L, (byte) 1, (byte) 0, (byte) 2, (byte) -1)
              .stack(0xffffffff81000010L)
              .userStack());
      assertThat(session.end()).isEmpty();
    }
    Everything all = seen.get(0);
    assertThat(all.isPositive()).isTrue();
    assertThat(all.small()).isEqualTo((byte) -2);
    assertThat(all.medium()).isEqualTo((short) -2);
    assertThat(all.letter()).isEqualTo('x');
    assertThat(all.whole()).isEqualTo(-2);
    assertThat(all.large()).isEqualTo(-2);
    assertThat(all.boxed()).isEqualTo(-2L);
    assertThat(all.name()).isEqualTo("dd");
    assertThat(all.site()).isEqualTo("kprobe:vfs_read");
    assertThat(all.raw()).containsExactly(1, 0, 2, -1);
    assertThat(all.at()).isAfter(Instant.EPOCH);
    assertThat(all.took()).isZero();
    assertThat(all.state()).isEqualTo(State.LISTEN);
    assertThat(all.other()).isEqualTo(State.UNKNOWN);
    assertThat(all.order()).isEqualTo(Order.SECOND);
    assertThat(all.from()).isEqualTo(new Endpoint(InetAddress.getLoopbackAddress(), 'x'));
    assertThat(all.unspecified()).isEqualTo(InetAddress.getByName("0.0.0.0"));
    assertThat(all.kernel().frames())
        .extracting(Stack.Frame::address)
        .containsExactly(0xffffffff81000010L);
    assertThat(all.user().frames()).isEmpty();
  }

  private record Hit(int cpu) {}

  private static final EventProbe<Hit> HITS = Probe.kprobe("vfs_read").emit(Hit.class, cpu());

  private static final Firing HIT = Firing.kprobe("vfs_read").cpu(2);

  @Test
  void aStreamHasTheEventsFromItsStart() {
    try (SimulatedTracer tracer = SimulatedTracer.create();
        PreparedTrace trace = tracer.prepare(HITS);
        Stream<Hit> all = trace.stream(HITS);
        Session session = trace.start()) {
      tracer.fire(HIT);
      try (Stream<Hit> later = session.stream(HITS)) {
        tracer.fire(HIT);
        tracer.fire(HIT);
        assertThat(later).hasSize(2).containsOnly(new Hit(2));
      }
      assertThat(all.limit(2)).hasSize(2);
    }
  }

  @Test
  void aStreamThatIsNotReadDropsAndCounts() {
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(HITS)) {
      Stream<Hit> unread = session.stream(HITS);
      for (int i = 0; i < EventQueue.CAPACITY + 3; i++) {
        tracer.fire(HIT);
      }
      assertThat(session.lost(Loss.DROPPED)).isEqualTo(3);
      assertThat(unread.count()).isEqualTo(EventQueue.CAPACITY);
    }
  }

  /** Keeps what it receives, and asks for so much. */
  private static final class Kept implements Flow.Subscriber<Hit> {
    final List<Hit> events = new ArrayList<>();
    final CountDownLatch subscribed = new CountDownLatch(1);
    final CountDownLatch over = new CountDownLatch(1);
    private final long wanted;
    volatile Throwable failure = new AssertionError("completed");

    Kept(long wanted) {
      this.wanted = wanted;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(wanted);
      subscribed.countDown();
    }

    @Override
    public void onNext(Hit event) {
      events.add(event);
    }

    @Override
    public void onError(Throwable thrown) {
      failure = thrown;
      over.countDown();
    }

    @Override
    public void onComplete() {
      over.countDown();
    }
  }

  @Test
  void aSubscriberReceivesAllUntilTheTraceEnds() throws Exception {
    Kept kept = new Kept(Long.MAX_VALUE);
    try (SimulatedTracer tracer = SimulatedTracer.create();
        PreparedTrace trace = tracer.prepare(HITS)) {
      trace.publisher(HITS).subscribe(kept);
      try (Session session = trace.start()) {
        tracer.fire(HIT);
        tracer.fire(HIT);
        session.stop();
      }
      kept.over.await();
      assertThat(kept.events).containsExactly(new Hit(2), new Hit(2));
    }
  }

  @Test
  void aSubscriberThatAsksForNothingDelaysNobody() throws Exception {
    Kept slow = new Kept(1);
    List<Hit> seen = new ArrayList<>();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        PreparedTrace trace = tracer.prepare(HITS).listen(HITS, seen::add)) {
      trace.publisher(HITS).subscribe(slow);
      try (Session session = trace.start()) {
        slow.subscribed.await();
        int sent = EventQueue.CAPACITY + 10;
        for (int i = 0; i < sent; i++) {
          tracer.fire(HIT);
        }
        assertThat(seen).hasSize(sent);
        assertThat(session.lost(Loss.DROPPED)).isBetween(9L, 10L);
      }
    }
  }

  @Test
  void anExceptionOfAListenerEndsTheTraceAndAllForms() throws Exception {
    Kept kept = new Kept(Long.MAX_VALUE);
    IllegalStateException thrown = new IllegalStateException("listener");
    try (SimulatedTracer tracer = SimulatedTracer.create()) {
      PreparedTrace trace = tracer.prepare(HITS);
      trace.publisher(HITS).subscribe(kept);
      trace.listen(
          HITS,
          hit -> {
            throw thrown;
          });
      Session session = trace.start();
      Stream<Hit> stream = session.stream(HITS);
      tracer.fire(HIT);
      assertThat(session.end()).contains(new EndReason.Failed(thrown));
      kept.over.await();
      assertThat(kept.failure).isInstanceOf(TraceFailedException.class).hasCause(thrown);
      assertThatThrownBy(stream::count).isInstanceOf(TraceFailedException.class).hasCause(thrown);
      assertThatThrownBy(session::stop).hasCause(thrown);
    }
  }

  @Test
  void exitEndsStreams() {
    var exit = Probe.kprobe("vfs_write").exit(3);
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(HITS, exit)) {
      Stream<Hit> stream = session.stream(HITS);
      tracer.fire(HIT);
      tracer.fire(Firing.kprobe("vfs_write"));
      tracer.fire(HIT);
      assertThat(stream).hasSize(1);
      assertThat(session.stream(HITS)).isEmpty();
    }
  }

  @Test
  void probesOfOtherTracesHaveNoEventsHere() {
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(OPENS)) {
      assertThatThrownBy(() -> session.stream(HITS))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("not part of the trace");
    }
  }

  private record Result(long value) {}

  @Test
  void aPatternSendsOneKindOfEvent() {
    var reads = Probe.kretprobe("vfs_*").where(retval().lt(0)).emit(Result.class, retval());
    List<Result> seen = new ArrayList<>();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.prepare(reads).listen(reads, seen::add).start()) {
      tracer.fire(Firing.kretprobe("vfs_read").retval(-11));
      tracer.fire(Firing.kretprobe("vfs_write").retval(5));
      tracer.fire(Firing.kretprobe("vfs_write").retval(-4));
      assertThat(session.lost(Loss.EVENTS)).isZero();
    }
    assertThat(seen).containsExactly(new Result(-11), new Result(-4));
  }
}
