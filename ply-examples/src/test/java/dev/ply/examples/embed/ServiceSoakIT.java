package dev.ply.examples.embed;

import static dev.ply.Values.*;
import static dev.ply.value.ThreadValues.*;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.AggregateProbe;
import dev.ply.EventProbe;
import dev.ply.Probe;
import dev.ply.ProbeBuilder;
import dev.ply.kernel.KernelTracer;
import dev.ply.kernel.Live;
import dev.ply.result.Loss;
import dev.ply.table.Histogram;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A service that traces for long, {@code -Dsoak.minutes=60}, without it for a few rounds: eight
 * sessions, some kept and some opened anew, a subscriber that takes nothing, JVMs that start and
 * end.
 */
@Tag("live")
@Tag("oldest")
class ServiceSoakIT {
  private static final long SELF = ProcessHandle.current().pid();
  private static final int JVMS = 5;
  private static final int READS = 20_000;
  private static final int WARM_UP = 2;

  record Read(int pid, long size) {}

  record Signalled(int signal, int pid, String comm) {}

  private static final AggregateProbe<Long> READS_BY_PID = reads().by(pid()).count();
  private static final AggregateProbe<Histogram> READ_SIZES =
      reads().by(pid()).quantize(field("count"));
  private static final EventProbe<Read> EACH_READ = reads().emit(Read.class, pid(), field("count"));
  private static final AggregateProbe<Long> STACKS =
      Probe.profile(199).where(ppid().eq(SELF)).by(pid(), ustack()).count();
  private static final AggregateProbe<Long> ALLOCATIONS =
      Probe.uprobe("c", "malloc").where(ppid().eq(SELF)).by(pid()).count();
  private static final AggregateProbe<Histogram> ALLOCATION_TIMES =
      Probe.uretprobe("c", "malloc").where(ppid().eq(SELF)).quantize(latency());
  private static final AggregateProbe<Long> EXITS =
      Probe.tracepoint("sched:sched_process_exit").where(ppid().eq(SELF)).by(pid()).count();
  private static final EventProbe<Signalled> SIGNALS =
      Probe.tracepoint("signal:signal_generate")
          .where(pid().eq(SELF).and(field("pid").ne(SELF)))
          .emit(Signalled.class, field("sig"), field("pid"), field("comm"));

  private static ProbeBuilder reads() {
    return Probe.tracepoint("syscalls:sys_enter_pread64")
        .where(ppid().eq(SELF).and(field("count").eq(SoakedJvm.SIZE)));
  }

  /** What the service holds after a collection. */
  private record Held(long heap, long descriptors, int threads) {
    static Held now() throws Exception {
      // Twice: what a cleaner frees is collected by the second one.
      System.gc();
      System.gc();
      try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
        return new Held(
            ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
            files.count(),
            ManagementFactory.getThreadMXBean().getThreadCount());
      }
    }
  }

  /** A subscriber that passes each event on. */
  private record Each<E>(Consumer<? super E> action, CountDownLatch ended)
      implements Flow.Subscriber<E> {
    static <E> Each<E> of(Consumer<? super E> action) {
      return new Each<>(action, new CountDownLatch(1));
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(E event) {
      action.accept(event);
    }

    @Override
    public void onError(Throwable throwable) {
      ended.countDown();
    }

    @Override
    public void onComplete() {
      ended.countDown();
    }
  }

  private final List<Signalled> signals = new CopyOnWriteArrayList<>();

  @Test
  void aServiceKeepsItsSizeAndItsJvmsNoticeNothing(@TempDir Path directory) throws Exception {
    Live.assumeTracing();
    Live.assumeSharedLibraries();
    Path file = Files.write(directory.resolve("zeros"), new byte[SoakedJvm.SIZE]);
    Duration length = Duration.ofMinutes(Integer.getInteger("soak.minutes", 0));
    Instant end = Instant.now().plus(length);
    List<Held> held = new ArrayList<>();
    try (var tracer = KernelTracer.open();
        var signalled = tracer.start(SIGNALS);
        var stacks = tracer.start(STACKS);
        var allocations = tracer.start(ALLOCATIONS);
        var exits = tracer.start(EXITS)) {
      signalled.publisher(SIGNALS).subscribe(Each.of(signals::add));
      do {
        round(tracer, file);
        assertThat(exits.take(EXITS).size()).isEqualTo(JVMS);
        assertThat(allocations.take(ALLOCATIONS).size()).isEqualTo(JVMS);
        assertThat(stacks.take(STACKS).size()).isPositive();
        held.add(Held.now());
        System.out.println("soak: round " + held.size() + ", " + held.get(held.size() - 1));
      } while (held.size() < WARM_UP + 2 || Instant.now().isBefore(end));
    }
    Held first = held.get(WARM_UP);
    Held last = held.get(held.size() - 1);
    System.out.println("soak: signals to others: " + signals);
    assertThat(last.descriptors()).isLessThanOrEqualTo(first.descriptors());
    assertThat(last.threads()).isLessThanOrEqualTo(first.threads());
    assertThat(last.heap()).isLessThan(first.heap() + (16 << 20));
  }

  /** Four sessions from the start of five JVMs to their end. */
  private static void round(KernelTracer tracer, Path file) throws Exception {
    AtomicLong received = new AtomicLong();
    CountDownLatch release = new CountDownLatch(1);
    Each<Read> fast = Each.of(read -> received.incrementAndGet());
    Each<Read> slow = Each.of(read -> awaitRelease(release));
    try (var counts = tracer.start(READS_BY_PID);
        var sizes = tracer.start(READ_SIZES);
        var times = tracer.start(ALLOCATION_TIMES);
        var events = tracer.start(EACH_READ)) {
      events.publisher(EACH_READ).subscribe(slow);
      events.publisher(EACH_READ).subscribe(fast);
      List<Process> jvms = new ArrayList<>();
      for (int i = 0; i < JVMS; i++) {
        jvms.add(start(file));
      }
      for (Process jvm : jvms) {
        assertThat(new String(jvm.getInputStream().readAllBytes(), UTF_8)).isEqualTo("read\n");
        assertThat(jvm.waitFor()).isZero();
      }
      assertThat(counts.read(READS_BY_PID)).hasSize(JVMS).allMatch(row -> row.value() == READS);
      assertThat(sizes.read(READ_SIZES))
          .hasSize(JVMS)
          .allMatch(row -> row.value().count() == READS);
      assertThat(times.read(ALLOCATION_TIMES).get().orElseThrow().count()).isPositive();
      events.stop();
      fast.ended().await();
      assertThat(received.get()).isEqualTo(JVMS * READS - events.lost(Loss.EVENTS));
    } finally {
      release.countDown();
    }
    slow.ended().await();
  }

  private static void awaitRelease(CountDownLatch release) {
    try {
      release.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Process start(Path file) throws Exception {
    return new ProcessBuilder(
            System.getProperty("java.home") + "/bin/java",
            "-Xmx32m",
            "-cp",
            System.getProperty("java.class.path"),
            SoakedJvm.class.getName(),
            file.toString(),
            Integer.toString(READS))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
