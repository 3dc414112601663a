package dev.ply.kernel;

import static dev.ply.Values.comm;
import static dev.ply.Values.cpu;
import static dev.ply.Values.field;
import static dev.ply.Values.pid;
import static dev.ply.Values.tid;
import static dev.ply.Values.time;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.ply.ActionProbe;
import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.Value;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.result.Loss;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Events in numbers: all arrive or are counted, in order, without garbage. */
@Tag("live")
final class EventsIT {
  private static final long SELF = ProcessHandle.current().pid();
  private static final long MARK = 0x5eed_0000L;
  private static final int THREADS = 2;
  private static final int SLICE = 1000;

  /** An emulated machine takes a minute for a million. */
  private static final int PER_THREAD = System.getProperty("ply.guest") == null ? 200_000 : 20_000;

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  /** Counts lines, and keeps them if wanted. */
  private static class Lines extends OutputStream {
    final List<String> kept = new ArrayList<>();
    long count;

    @Override
    public void write(int value) {
      throw new IllegalStateException("events are written piece by piece");
    }

    @Override
    public void write(byte[] bytes, int start, int length) {
      count++;
      kept.add(new String(bytes, start, length, StandardCharsets.US_ASCII).strip());
    }
  }

  private static ActionProbe seeks(String format, Value... values) {
    return Probe.tracepoint("syscalls:sys_enter_lseek")
        .where(pid().eq(SELF).and(field("offset").ge(MARK)))
        .printf(format, values);
  }

  @Test
  void whatIsSentIsDeliveredOrCountedAsLost() throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    Lines lines =
        new Lines() {
          @Override
          public void write(byte[] bytes, int start, int length) {
            count++;
            await(done);
          }
        };
    // The reader is stuck while the traced threads go on: the buffer fills, and they do not wait.
    try (KernelTracer tracer =
            KernelTracer.open(CompilerOptions.DEFAULT.withRingBufferBytes(1 << 16));
        Session session =
            tracer
                .prepare(seeks("%d %s %d\n", pid(), comm(), field("offset")))
                .writeTo(lines)
                .start()) {
      seekOnAllThreads(PER_THREAD);
      done.countDown();
      session.stop();
      assertThat(session.lost(Loss.EVENTS)).isPositive();
      assertThat(lines.count + session.lost(Loss.EVENTS)).isEqualTo((long) THREADS * PER_THREAD);
    }
  }

  @Test
  void nothingIsLostByDefault() throws Exception {
    Lines lines =
        new Lines() {
          @Override
          public void write(byte[] bytes, int start, int length) {
            count++;
          }
        };
    try (KernelTracer tracer = KernelTracer.open();
        Session session =
            tracer
                .prepare(seeks("%d %s %d\n", pid(), comm(), field("offset")))
                .writeTo(lines)
                .start()) {
      seekOnAllThreads(PER_THREAD);
      session.stop();
      assertThat(session.lost(Loss.EVENTS)).isZero();
      assertThat(lines.count).isEqualTo((long) THREADS * PER_THREAD);
    }
  }

  /**
   * Each processor's events come in the order of their times, each thread's in the order of what it
   * did.
   */
  @Test
  void eventsComeInOrder() throws Exception {
    Lines lines = new Lines();
    try (KernelTracer tracer = KernelTracer.open();
        Session session =
            tracer
                .prepare(seeks("%d %u %d %d\n", cpu(), time(), tid(), field("offset")))
                .writeTo(lines)
                .start()) {
      seekOnAllThreads(PER_THREAD / 10);
      session.stop();
    }
    Map<String, Long> lastTime = new HashMap<>();
    Map<String, Long> lastOffset = new HashMap<>();
    for (String line : lines.kept) {
      String[] words = line.split(" ", -1);
      assertThat(Long.parseLong(words[1])).isGreaterThanOrEqualTo(last(lastTime, words[0]));
      assertThat(Long.parseLong(words[3])).isGreaterThan(last(lastOffset, words[2]));
      lastTime.put(words[0], Long.parseLong(words[1]));
      lastOffset.put(words[2], Long.parseLong(words[3]));
    }
    assertThat(lastOffset).hasSize(THREADS);
  }

  private static long last(Map<String, Long> values, String key) {
    return values.getOrDefault(key, 0L);
  }

  @Test
  void anEventMakesNoGarbage() throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long[] allocated = new long[PER_THREAD / SLICE];
    Lines lines =
        new Lines() {
          @Override
          public void write(byte[] bytes, int start, int length) {
            count++;
            if (count % SLICE == 0 && count <= PER_THREAD) {
              allocated[(int) count / SLICE - 1] = threads.getCurrentThreadAllocatedBytes();
            }
          }
        };
    try (KernelTracer tracer = KernelTracer.open();
        Session session =
            tracer
                .prepare(
                    seeks(
                        "%d %-16s %#x %5u %v\n",
                        pid(), comm(), field("offset"), cpu(), field("offset")))
                .writeTo(lines)
                .start()) {
      seekOnAllThreads(PER_THREAD);
      session.stop();
    }
    assertThat(lines.count).isEqualTo((long) THREADS * PER_THREAD);
    // The usual slice: the runtime charges a thread for other things now and then.
    List<Long> slices = new ArrayList<>();
    for (int i = 1; i < allocated.length; i++) {
      slices.add(allocated[i] - allocated[i - 1]);
    }
    Collections.sort(slices);
    assertThat(slices.get(slices.size() / 2)).isLessThan((long) SLICE);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void seekOnAllThreads(int times) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      threads.add(new Thread(() -> seek(times)));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
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
