package dev.ply.kernel;

import static dev.ply.Values.field;
import static dev.ply.Values.pid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.AggregateProbe;
import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.TraceOptions;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Periods and ends of sessions on the running kernel. */
@Tag("live")
@Tag("oldest")
final class SessionPeriodsIT {
  private static final long MARK = 0x5eed_0000L;
  private static final AggregateProbe<Long> SEEKS =
      Probe.tracepoint("syscalls:sys_enter_lseek")
          .where(pid().eq(ProcessHandle.current().pid()).and(field("offset").ge(MARK)))
          .count();

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  @Test
  void periodsAddUpToAll() throws Exception {
    AtomicLong sum = new AtomicLong();
    CountDownLatch periods = new CountDownLatch(3);
    List<String> threads = new CopyOnWriteArrayList<>();
    TraceOptions options =
        TraceOptions.DEFAULT.withThreads(
            task -> {
              Thread thread = new Thread(task, "own");
              threads.add(thread.getName());
              return thread;
            });
    try (KernelTracer tracer = KernelTracer.open(options);
        Session session = tracer.start(SEEKS)) {
      session.every(
          Duration.ofMillis(5),
          SEEKS,
          delta -> {
            delta.forEach(row -> sum.addAndGet(row.value()));
            periods.countDown();
          });
      seek(1000);
      periods.await();
      seek(500);
      session.stop();
      assertThat(session.read(SEEKS).isEmpty()).isTrue();
    }
    assertThat(sum).hasValue(1500);
    assertThat(threads).contains("own");
  }

  @Test
  void anActionCannotStopItsSession() throws Exception {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    try (KernelTracer tracer = KernelTracer.open();
        Session session = tracer.start(SEEKS)) {
      session.onError(failure::complete);
      session.every(Duration.ofMillis(5), SEEKS, delta -> session.stop());
      assertThat(failure.get()).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(session::stop).hasCause(failure.get());
    }
  }

  private static void seek(int times) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile("/dev/zero", "r")) {
      for (int i = 0; i < times; i++) {
        file.seek(MARK + i);
      }
    }
  }
}
