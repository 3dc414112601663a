package dev.ply.bpf.session;

import static dev.ply.Values.arg;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.EventProbe;
import dev.ply.PreparedTrace;
import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.TraceOptions;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.bpf.stream.EventQueue;
import dev.ply.result.EndReason;
import dev.ply.result.Loss;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Subscribers that are slow, blocked, or fail: the others receive everything. */
@Timeout(120)
class EventSubscribersTest {
  private record Hit(long number) {}

  private static final EventProbe<Hit> HITS = Probe.kprobe("vfs_read").emit(Hit.class, arg(0));

  private static Firing hit(long number) {
    return Firing.kprobe("vfs_read").arg(0, number);
  }

  private static void fire(SimulatedTracer tracer, int count) {
    for (int i = 0; i < count; i++) {
      tracer.fire(hit(i));
    }
  }

  private static List<Hit> hits(int count) {
    return LongStream.range(0, count).mapToObj(Hit::new).toList();
  }

  /** Receives all events; what happens at each is the subclass's. */
  private static class Receiver implements Flow.Subscriber<Hit> {
    final List<Hit> events = Collections.synchronizedList(new ArrayList<>());
    final CompletableFuture<Flow.Subscription> subscribed = new CompletableFuture<>();
    final CompletableFuture<List<Hit>> completed = new CompletableFuture<>();

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscribed.complete(subscription);
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(Hit event) {
      events.add(event);
    }

    @Override
    public void onError(Throwable thrown) {
      completed.completeExceptionally(thrown);
    }

    @Override
    public void onComplete() {
      completed.complete(events);
    }
  }

  /** Waits at its first event until it is released. */
  private static final class Blocked extends Receiver {
    final CountDownLatch entered = new CountDownLatch(1);
    final CountDownLatch released = new CountDownLatch(1);

    @Override
    public void onNext(Hit event) {
      entered.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      super.onNext(event);
    }
  }

  @Test
  void aBlockedSubscriberStarvesNoOther() {
    Blocked blocked = new Blocked();
    List<Receiver> others = List.of(new Receiver(), new Receiver());
    int count = EventQueue.CAPACITY / 2;
    try (SimulatedTracer tracer = SimulatedTracer.create();
        PreparedTrace trace = tracer.prepare(HITS)) {
      Flow.Publisher<Hit> publisher = trace.publisher(HITS);
      publisher.subscribe(blocked);
      others.forEach(publisher::subscribe);
      try (Session session = trace.start()) {
        fire(tracer, count);
        session.stop();
        assertThat(others)
            .allSatisfy(
                other -> {
                  assertThat(other.completed.join()).isEqualTo(hits(count));
                  assertThat(session.dropped(other)).isZero();
                });
        assertThat(session.lost(Loss.DROPPED)).isZero();
      }
      assertThat(blocked.completed).isNotDone();
      blocked.released.countDown();
      assertThat(blocked.completed.join()).isEqualTo(hits(count));
    }
  }

  @Test
  void anyNumberOfBlockedSubscribersStarveNoOther() {
    List<Blocked> blocked = Stream.generate(Blocked::new).limit(40).toList();
    Receiver other = new Receiver();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(HITS)) {
      // Several publishers are as several subscribers of one.
      blocked.forEach(session.publisher(HITS)::subscribe);
      session.publisher(HITS).subscribe(other);
      fire(tracer, 1000);
      session.stop();
      assertThat(other.completed.join()).isEqualTo(hits(1000));
    } finally {
      blocked.forEach(each -> each.released.countDown());
    }
  }

  @Test
  void lossesAreCountedForEachSubscriber() throws Exception {
    Blocked blocked = new Blocked();
    Receiver other = new Receiver();
    int half = EventQueue.CAPACITY / 2;
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(HITS)) {
      Flow.Publisher<Hit> publisher = session.publisher(HITS);
      publisher.subscribe(blocked);
      publisher.subscribe(other);
      tracer.fire(hit(0));
      blocked.entered.await();
      int sent = 1;
      while (sent < EventQueue.CAPACITY + half) {
        tracer.fire(hit(sent++));
        while (other.events.size() + half < sent) {
          Thread.onSpinWait();
        }
      }
      // The one that the subscriber has in hand may be in its queue still.
      assertThat(session.dropped(blocked)).isBetween(half - 1L, (long) half);
      assertThat(session.dropped(other)).isZero();
      assertThat(session.lost(Loss.DROPPED)).isEqualTo(session.dropped(blocked));
      assertThat(session.dropped(new Receiver())).isZero();
      blocked.released.countDown();
      session.stop();
      assertThat(blocked.completed.join().size() + session.dropped(blocked)).isEqualTo(sent);
      assertThat(other.completed.join()).isEqualTo(hits(sent));
    }
  }

  @Test
  void aSubscriberThatThrowsIsCancelledAlone() {
    Error error = new AssertionError("thrown by a subscriber");
    Receiver throwing =
        new Receiver() {
          @Override
          public void onNext(Hit event) {
            throw error;
          }
        };
    Receiver atOnce =
        new Receiver() {
          @Override
          public void onSubscribe(Flow.Subscription subscription) {
            throw new IllegalStateException("at once");
          }
        };
    Receiver twice =
        new Receiver() {
          @Override
          public void onNext(Hit event) {
            throw new IllegalStateException("first");
          }

          @Override
          public void onError(Throwable thrown) {
            super.onError(thrown);
            throw new IllegalStateException("second");
          }
        };
    Receiver other = new Receiver();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(HITS)) {
      Flow.Publisher<Hit> publisher = session.publisher(HITS);
      List.of(throwing, atOnce, twice, other).forEach(publisher::subscribe);
      fire(tracer, 1000);
      session.stop();
      assertThat(other.completed.join()).isEqualTo(hits(1000));
      assertThatThrownBy(throwing.completed::join).hasCause(error);
      assertThatThrownBy(atOnce.completed::join).hasRootCauseMessage("at once");
      assertThatThrownBy(twice.completed::join).hasRootCauseMessage("first");
      assertThat(session.end()).contains(new EndReason.Stopped());
      assertThat(session.lost(Loss.DROPPED)).isZero();
    }
  }

  @Test
  void aSubscriberThatCancelsLosesNothingAndMayComeBack() {
    Receiver once = new Receiver();
    Receiver other = new Receiver();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(HITS)) {
      Flow.Publisher<Hit> publisher = session.publisher(HITS);
      publisher.subscribe(once);
      publisher.subscribe(other);
      once.subscribed.join().cancel();
      fire(tracer, 10);
      assertThat(session.lost(Loss.DROPPED)).isZero();
      publisher.subscribe(once);
      tracer.fire(hit(10));
      session.stop();
      assertThat(once.completed.join()).containsExactly(new Hit(10));
      assertThat(other.completed.join()).isEqualTo(hits(11));
    }
  }

  @Test
  void aSecondSubscriptionOfASubscriberIsAnErrorToIt() {
    Receiver twice = new Receiver();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(HITS)) {
      Flow.Publisher<Hit> publisher = session.publisher(HITS);
      publisher.subscribe(twice);
      publisher.subscribe(twice);
      assertThatThrownBy(twice.completed::join).hasCauseInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void whoSubscribesAfterTheEndIsCompleted() {
    Receiver late = new Receiver();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(HITS)) {
      Flow.Publisher<Hit> publisher = session.publisher(HITS);
      tracer.fire(hit(0));
      session.stop();
      publisher.subscribe(late);
      assertThat(late.completed.join()).isEmpty();
    }
  }

  @Test
  void anExecutorOfTheCallersCallsSubscribers() {
    ExecutorService executor = Executors.newSingleThreadExecutor(task -> new Thread(task, "mine"));
    List<String> threads = Collections.synchronizedList(new ArrayList<>());
    Receiver receiver =
        new Receiver() {
          @Override
          public void onNext(Hit event) {
            threads.add(Thread.currentThread().getName());
          }
        };
    try (SimulatedTracer tracer = SimulatedTracer.create();
        PreparedTrace trace = tracer.prepare(HITS)) {
      trace.publisher(HITS, executor).subscribe(receiver);
      try (Session session = trace.start()) {
        fire(tracer, 10);
        session.stop();
        receiver.completed.join();
      }
    } finally {
      executor.shutdown();
    }
    assertThat(threads).hasSize(10).containsOnly("mine");
  }

  @Test
  void whatAnExecutorRefusesIsCountedAndDisturbsNobody() {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    Receiver refused = new Receiver();
    Receiver late = new Receiver();
    Receiver other = new Receiver();
    List<Hit> listened = new ArrayList<>();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        PreparedTrace trace = tracer.prepare(HITS).listen(HITS, listened::add)) {
      Flow.Publisher<Hit> publisher = trace.publisher(HITS, executor);
      publisher.subscribe(refused);
      refused.subscribed.join();
      trace.publisher(HITS).subscribe(other);
      executor.shutdown();
      while (!executor.isTerminated()) {
        Thread.onSpinWait();
      }
      try (Session session = trace.start()) {
        assertThatThrownBy(() -> publisher.subscribe(late))
            .isInstanceOf(RejectedExecutionException.class);
        fire(tracer, 1000);
        session.stop();
        assertThat(session.dropped(refused)).isEqualTo(1000);
        assertThat(session.end()).contains(new EndReason.Stopped());
      }
    }
    assertThat(listened).isEqualTo(hits(1000));
    assertThat(other.completed.join()).isEqualTo(hits(1000));
    assertThat(refused.events).isEmpty();
  }

  @Test
  void threadsOfSubscribersAreThoseOfTheOptionsAndEndWithTheTrace() throws Exception {
    List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
    TraceOptions options =
        TraceOptions.DEFAULT.withThreads(
            task -> {
              Thread thread = new Thread(task, "given");
              thread.setDaemon(true);
              threads.add(thread);
              return thread;
            });
    List<Receiver> receivers = List.of(new Receiver(), new Receiver());
    try (SimulatedTracer tracer = SimulatedTracer.create(SimulatedTarget.create(), options);
        Session session = tracer.start(HITS)) {
      receivers.forEach(session.publisher(HITS)::subscribe);
      fire(tracer, 100);
    }
    receivers.forEach(receiver -> assertThat(receiver.completed.join()).hasSize(100));
    assertThat(threads).isNotEmpty();
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
