package dev.ply.kernel;

import static dev.ply.Values.field;
import static dev.ply.Values.pid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.AggregateProbe;
import dev.ply.EventProbe;
import dev.ply.PreparedTrace;
import dev.ply.Probe;
import dev.ply.ProbeBuilder;
import dev.ply.Session;
import dev.ply.TraceFailedException;
import dev.ply.result.EndReason;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sessions end in any way, at any moment, on any thread: nothing stays attached. */
@Tag("live")
@Tag("runtime")
@Tag("any-kernel")
@Timeout(300)
final class ClosingIT {
  private static final long MARK = 0x5eed_0000L;

  /** Of which {@code -Dharness.closings=1000} makes more. */
  private static final int STARTS = Integer.getInteger("harness.closings", 20);

  private record Seek(long offset) {}

  private static final EventProbe<Seek> SEEKS = seeks().emit(Seek.class, field("offset"));
  private static final AggregateProbe<Long> COUNT = seeks().count();

  private final AtomicBoolean seeking = new AtomicBoolean(true);
  private final AtomicInteger closings = new AtomicInteger();
  private Thread seeker = new Thread(this::seek);
  private Set<Path> ofOthers = Set.of();

  private static ProbeBuilder seeks() {
    return Probe.tracepoint("syscalls:sys_enter_lseek")
        .where(pid().eq(ProcessHandle.current().pid()).and(field("offset").ge(MARK)));
  }

  /** Who closes a session, which runs, and how. */
  enum Closing {
    ONCE((tracer, session) -> session.close()),
    TWICE(
        (tracer, session) -> {
          session.close();
          session.close();
        }),
    STOPPED(
        (tracer, session) -> {
          session.stop();
          session.stop();
          session.close();
        }),
    BY_ITS_TRACER((tracer, session) -> tracer.close()),
    INTERRUPTED(
        (tracer, session) -> {
          Thread.currentThread().interrupt();
          session.close();
          assertThat(Thread.interrupted()).isTrue();
        }),
    STOPPED_INTERRUPTED(
        (tracer, session) -> {
          Thread.currentThread().interrupt();
          session.stop();
          assertThat(Thread.interrupted()).isTrue();
          session.close();
        }),
    BY_ANOTHER_THREAD((tracer, session) -> together(session::close)),
    BY_THREE_THREADS((tracer, session) -> together(session::close, session::stop, tracer::close)),
    BY_A_SUBSCRIBER(
        (tracer, session) -> {
          CompletableFuture<Boolean> closed = new CompletableFuture<>();
          session.publisher(SEEKS).subscribe(new ClosingSubscriber(session, closed));
          closed.join();
        }),
    BY_THE_READER_OF_A_STREAM(
        (tracer, session) ->
            session.stream(SEEKS).peek(seek -> session.close()).forEach(seek -> {})),
    BY_AN_INTERRUPTED_WAIT(
        (tracer, session) -> {
          Thread.currentThread().interrupt();
          assertThatThrownBy(() -> session.await(Duration.ofMinutes(1)))
              .isInstanceOf(InterruptedException.class);
          session.close();
        }),
    AFTER_ITS_LISTENER_TO_THE_END_TRIED(
        (tracer, session) -> {
          List<Throwable> refusals = new ArrayList<>();
          session.onEnd(end -> refusals.add(refusal(session::close)));
          session.onEnd(end -> refusals.add(refusal(session::stop)));
          session.onEnd(end -> refusals.add(refusal(tracer::close)));
          session.close();
          assertThat(refusals)
              .hasSize(3)
              .allSatisfy(thrown -> assertThat(thrown).isInstanceOf(IllegalStateException.class));
        }),
    AFTER_ITS_ACTION_TRIED(
        (tracer, session) -> {
          CompletableFuture<Throwable> failure = new CompletableFuture<>();
          session.onError(failure::complete);
          session.every(Duration.ofMillis(1), COUNT, delta -> session.close());
          assertThat(failure.join()).isInstanceOf(IllegalStateException.class);
          assertThatThrownBy(session::stop).isInstanceOf(TraceFailedException.class);
          session.close();
        });

    @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
    private final BiConsumer<KernelTracer, Session> way;

    Closing(BiConsumer<KernelTracer, Session> way) {
      this.way = way;
    }
  }

  private static Throwable refusal(Runnable closing) {
    try {
      closing.run();
      return new AssertionError("was not refused");
    } catch (RuntimeException e) {
      return e;
    }
  }

  private static void together(Runnable... closings) {
    CompletableFuture.allOf(
            Stream.of(closings)
                .map(closing -> CompletableFuture.runAsync(closing, ClosingIT::inThread))
                .toArray(CompletableFuture[]::new))
        .join();
  }

  private static void inThread(Runnable task) {
    new Thread(task).start();
  }

  private record ClosingSubscriber(Session session, CompletableFuture<Boolean> closed)
      implements Flow.Subscriber<Seek> {
    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(1);
    }

    @Override
    public void onNext(Seek seek) {
      session.close();
      closed.complete(true);
    }

    @Override
    public void onError(Throwable thrown) {
      closed.completeExceptionally(thrown);
    }

    @Override
    public void onComplete() {}
  }

  /** What happens while the session is closed. */
  enum Moment {
    NOTHING {
      @Override
      void begin(Session session) {}
    },
    EVENTS {
      @Override
      void begin(Session session) {
        assertThat(session.stream(SEEKS).findFirst()).isPresent();
      }
    },
    PERIODS {
      @Override
      void begin(Session session) {
        CountDownLatch periods = new CountDownLatch(2);
        session.every(Duration.ofMillis(1), COUNT, delta -> periods.countDown());
        await(periods);
      }
    },
    A_WAIT {
      @Override
      void begin(Session session) {
        CountDownLatch waiting = new CountDownLatch(1);
        inThread(
            () -> {
              waiting.countDown();
              try {
                session.await(Duration.ofMinutes(5));
              } catch (InterruptedException | TraceFailedException e) {
                Thread.currentThread().interrupt();
              }
            });
        await(waiting);
      }
    },
    A_STREAM {
      @Override
      void begin(Session session) {
        CountDownLatch reading = new CountDownLatch(1);
        Stream<Seek> seeks = session.stream(SEEKS);
        inThread(
            () -> {
              try {
                seeks.forEach(seek -> reading.countDown());
              } catch (TraceFailedException e) {
                reading.countDown();
              }
            });
        await(reading);
      }
    },
    READS {
      @Override
      void begin(Session session) {
        CountDownLatch reading = new CountDownLatch(1);
        inThread(
            () -> {
              try {
                while (session.end().isEmpty()) {
                  session.read(COUNT);
                  reading.countDown();
                }
              } catch (IllegalStateException e) {
                // Closed between the two calls.
                reading.countDown();
              }
            });
        await(reading);
      }
    };

    abstract void begin(Session session);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @BeforeEach
  void tracing() throws IOException {
    Live.assumeTracing();
    ofOthers = attached();
    seeker = new Thread(this::seek);
    seeker.start();
  }

  @AfterEach
  void rest() throws InterruptedException {
    seeking.set(false);
    seeker.join();
  }

  private void seek() {
    try (RandomAccessFile file = new RandomAccessFile("/dev/zero", "r")) {
      for (long i = MARK; seeking.get(); i++) {
        file.seek(i);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Programs, links and events of perf are attached as long as they have a descriptor. Those of
   * other tests, which wait for the garbage collector, may be left.
   */
  private void expectNothingAttached() throws IOException {
    assertThat(ofOthers).containsAll(attached());
  }

  private static Set<Path> attached() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.filter(ClosingIT::isAttachment).collect(Collectors.toSet());
    }
  }

  private static boolean isAttachment(Path descriptor) {
    try {
      String target = Files.readSymbolicLink(descriptor).toString();
      return target.startsWith("anon_inode:")
          && (target.contains("bpf") || target.contains("perf_event"));
    } catch (IOException e) {
      // The one that lists the directory is closed by now.
      return false;
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingStaysAttached(Closing closing, TestReporter reporter) throws IOException {
    for (Moment moment : Moment.values()) {
      try (KernelTracer tracer = KernelTracer.open()) {
        Session session = tracer.start(SEEKS, COUNT);
        moment.begin(session);
        closing.way.accept(tracer, session);
        expectNothingAttached();
        assertThat(session.end()).isPresent();
        closings.incrementAndGet();
      }
    }
    reporter.publishEntry(closing.name(), closings + " closings, all detached");
  }

  private enum Stopper {
    TRACER,
    TRACE,
    INTERRUPT
  }

  /** Whichever is first: the trace starts and is closed, or does not start. */
  @ParameterizedTest
  @EnumSource
  void startingCanBeCutShort(Stopper stopper, TestReporter reporter) throws Exception {
    AtomicInteger started = new AtomicInteger();
    for (int i = 0; i < STARTS; i++) {
      int delay = i;
      KernelTracer tracer = KernelTracer.open();
      PreparedTrace trace = tracer.prepare(SEEKS, COUNT);
      CountDownLatch begun = new CountDownLatch(1);
      Thread starting =
          new Thread(
              () -> {
                begun.countDown();
                try {
                  Session unused = trace.start();
                  started.incrementAndGet();
                } catch (IllegalStateException e) {
                  // It was closed first.
                  assertThat(e).hasMessageMatching(".*(closed|before).*");
                }
              });
      starting.start();
      begun.await();
      // From before its start to after it.
      long until = System.nanoTime() + delay * 2_000_000L;
      while (System.nanoTime() < until) {
        Thread.onSpinWait();
      }
      switch (stopper) {
        case TRACER -> tracer.close();
        case TRACE -> trace.close();
        case INTERRUPT -> starting.interrupt();
      }
      starting.join();
      tracer.close();
      expectNothingAttached();
    }
    reporter.publishEntry(
        stopper.name(), STARTS + " starts, of which " + started + " succeeded, all detached");
  }

  @Test
  void aClosedSessionStaysClosed() {
    try (KernelTracer tracer = KernelTracer.open()) {
      Session session = tracer.start(SEEKS, COUNT);
      session.close();
      assertThat(session.end()).contains(new EndReason.Stopped());
      assertThat(session.stream(SEEKS)).isEmpty();
      session.stop();
      assertThatThrownBy(() -> session.every(Duration.ofSeconds(1), COUNT, delta -> {}))
          .isInstanceOf(IllegalStateException.class);
    }
  }
}
