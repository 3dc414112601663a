package dev.ply.kernel;

import static dev.ply.Values.comm;
import static dev.ply.Values.cpu;
import static dev.ply.Values.field;
import static dev.ply.Values.pid;
import static dev.ply.Values.stack;
import static dev.ply.Values.str;
import static dev.ply.Values.tid;
import static dev.ply.Values.ustack;
import static dev.ply.Values.walltime;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.ply.EventProbe;
import dev.ply.PreparedTrace;
import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.result.Loss;
import dev.ply.table.Stack;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Records as events on the running kernel. */
@Tag("live")
@Tag("oldest")
@Tag("runtime")
final class EventRecordsIT {
  private static final int SELF = (int) ProcessHandle.current().pid();
  private static final long MARK = 0x5eed_0000L;
  private static final int SLICE = 1000;

  /** An emulated machine takes a minute for a million. */
  private static final int SEEKS = System.getProperty("ply.guest") == null ? 200_000 : 20_000;

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  private record Open(Instant at, int pid, String comm, String path, Stack kernel, Stack user) {}

  private static final EventProbe<Open> OPENS =
      Probe.tracepoint("syscalls:sys_enter_openat")
          .where(pid().eq(SELF))
          .emit(Open.class, walltime(), pid(), comm(), str(field("filename")), stack(), ustack());

  @Test
  void aFileOpenedHereIsAnEvent() throws Exception {
    Path missing = Path.of("/event-records-" + SELF);
    Instant before = Instant.now().minusSeconds(1);
    try (KernelTracer tracer = KernelTracer.open();
        PreparedTrace trace = tracer.prepare(OPENS);
        Stream<Open> opens = trace.stream(OPENS);
        Session session = trace.start()) {
      assertThat(readable(missing)).isFalse();
      Open open =
          opens.filter(one -> one.path().equals(missing.toString())).findFirst().orElseThrow();
      assertThat(open.pid()).isEqualTo(SELF);
      assertThat(open.comm()).isNotEmpty();
      assertThat(open.at()).isBetween(before, Instant.now().plusSeconds(1));
      assertThat(open.user().frames()).isNotEmpty();
      assertThat(open.user().isLost()).isFalse();
      assertThat(session.lost(Loss.DROPPED)).isZero();
    }
  }

  private static boolean readable(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      return in.read() >= 0;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private record Seek(long offset, int tid, int cpu) {}

  private static final EventProbe<Seek> SEEKS_HERE =
      Probe.tracepoint("syscalls:sys_enter_lseek")
          .where(pid().eq(SELF).and(field("offset").ge(MARK)))
          .emit(Seek.class, field("offset"), tid(), cpu());

  @Test
  void allEventsArriveInOrderAndStoppingEndsTheStream() throws Exception {
    try (KernelTracer tracer = KernelTracer.open();
        Session session = tracer.start(SEEKS_HERE)) {
      Stream<Seek> seeks = session.stream(SEEKS_HERE);
      Thread seeking =
          new Thread(
              () -> {
                seek(SEEKS / 10);
                session.stop();
              });
      seeking.start();
      List<Seek> seen = seeks.toList();
      seeking.join();
      assertThat(seen.size() + session.lost(Loss.DROPPED) + session.lost(Loss.EVENTS))
          .isEqualTo(SEEKS / 10);
      assertThat(seen).extracting(Seek::offset).isSorted();
    }
  }

  /** Counts what it receives, after a latch has opened. */
  private static final class Counting implements Flow.Subscriber<Seek> {
    private final CountDownLatch open;
    private final CompletableFuture<Long> count = new CompletableFuture<>();
    private long received;

    Counting(CountDownLatch open) {
      this.open = open;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(Seek seek) {
      try {
        open.await();
        received++;
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void onError(Throwable thrown) {
      count.completeExceptionally(thrown);
    }

    @Override
    public void onComplete() {
      count.complete(received);
    }
  }

  @Test
  void aBlockedSubscriberStarvesNoOther() {
    CountDownLatch closed = new CountDownLatch(1);
    List<Counting> blocked = Stream.generate(() -> new Counting(closed)).limit(4).toList();
    List<Counting> others =
        Stream.generate(() -> new Counting(new CountDownLatch(0))).limit(2).toList();
    try (KernelTracer tracer = KernelTracer.open();
        Session session = tracer.start(SEEKS_HERE)) {
      Flow.Publisher<Seek> publisher = session.publisher(SEEKS_HERE);
      blocked.forEach(publisher::subscribe);
      others.forEach(publisher::subscribe);
      seek(SEEKS / 10);
      session.stop();
      assertThat(others)
          .allSatisfy(
              other ->
                  assertThat(other.count.join() + session.lost(Loss.EVENTS)).isEqualTo(SEEKS / 10));
      assertThat(session.lost(Loss.DROPPED)).isZero();
    } finally {
      closed.countDown();
    }
  }

  @Test
  void closingEndsTheStreamOfAnotherThread() throws Exception {
    try (KernelTracer tracer = KernelTracer.open()) {
      for (int i = 0; i < 20; i++) {
        Session session = tracer.start(SEEKS_HERE);
        Stream<Seek> seeks = session.stream(SEEKS_HERE);
        Thread closing = new Thread(session::close);
        closing.start();
        assertThat(seeks).isEmpty();
        closing.join();
      }
    }
  }

  @Test
  void anInterruptEndsTheStreamOfItsThread() {
    try (KernelTracer tracer = KernelTracer.open();
        Session session = tracer.start(SEEKS_HERE)) {
      Thread.currentThread().interrupt();
      assertThat(session.stream(SEEKS_HERE)).isEmpty();
      assertThat(Thread.interrupted()).isTrue();
      assertThat(session.end()).isEmpty();
    }
  }

  @Test
  void aRecordOfNumbersIsItsOnlyGarbageIfAny() throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long[] allocated = new long[SEEKS / SLICE];
    int[] count = new int[1];
    try (KernelTracer tracer = KernelTracer.open();
        Session session =
            tracer
                .prepare(SEEKS_HERE)
                .listen(
                    SEEKS_HERE,
                    seek -> {
                      count[0]++;
                      if (count[0] % SLICE == 0) {
                        allocated[count[0] / SLICE - 1] = threads.getCurrentThreadAllocatedBytes();
                      }
                    })
                .start()) {
      seek(SEEKS);
      session.stop();
      assertThat(session.lost(Loss.EVENTS)).isZero();
    }
    assertThat(count[0]).isEqualTo(SEEKS);
    // The usual slice: the runtime charges a thread for other things now and then.
    List<Long> slices = new ArrayList<>();
    for (int i = allocated.length / 2; i < allocated.length; i++) {
      slices.add(allocated[i] - allocated[i - 1]);
    }
    Collections.sort(slices);
    // None once it is compiled; until then a header of at most 16 bytes, 8 + 4 + 4 of components.
    assertThat(slices.get(slices.size() / 2)).isLessThan(33L * SLICE);
  }

  private static void seek(int times) {
    try (RandomAccessFile file = new RandomAccessFile("/dev/zero", "r")) {
      for (int i = 0; i < times; i++) {
        file.seek(MARK + i);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
