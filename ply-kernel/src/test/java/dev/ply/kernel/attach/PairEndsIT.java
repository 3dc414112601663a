package dev.ply.kernel.attach;

import static dev.ply.Values.pid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.AggregateProbe;
import dev.ply.Probe;
import dev.ply.ProbeBuilder;
import dev.ply.Session;
import dev.ply.kernel.KernelTracer;
import dev.ply.kernel.Live;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces of functions that threads of this process call all the time have no end without entry. */
@Tag("live")
final class PairEndsIT {
  private static final int SELF = (int) ProcessHandle.current().pid();
  private static final int THREADS = 3;

  /**
   * In each order of the two; {@code -Dharness.repeats=N} makes it more often. While something is
   * attached, the threads call thousands of times.
   */
  private static final int ROUNDS = Integer.getInteger("harness.repeats", 1);

  private final AtomicBoolean over = new AtomicBoolean();
  private final List<Thread> threads = new ArrayList<>();

  @BeforeEach
  void callAllTheTime(@TempDir Path directory) throws Exception {
    Live.assumeTracing();
    Path file = Files.createFile(directory.resolve("file"));
    for (int i = 0; i < THREADS; i++) {
      Thread thread = new Thread(() -> seek(file));
      threads.add(thread);
      thread.start();
    }
  }

  private void seek(Path path) {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r");
        FileChannel channel = file.getChannel()) {
      while (!over.get()) {
        channel.position(file.getFilePointer());
        int unused = file.read();
      }
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @AfterEach
  void end() throws Exception {
    over.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static long total(Session session, AggregateProbe<Long> probe) {
    return session.read(probe).stream().mapToLong(row -> row.value()).sum();
  }

  /** An end is of a call that has begun before the trace in at most {@code earlier} cases. */
  private static void assertPaired(
      Supplier<ProbeBuilder> begin, Supplier<ProbeBuilder> end, int earlier) {
    AggregateProbe<Long> begun = begin.get().where(pid().eq(SELF)).count();
    AggregateProbe<Long> ended = end.get().where(pid().eq(SELF)).count();
    try (KernelTracer tracer = KernelTracer.open()) {
      for (int round = 0; round < 2 * ROUNDS; round++) {
        // In whichever order they are written.
        try (Session session =
            round % 2 == 0 ? tracer.start(begun, ended) : tracer.start(ended, begun)) {
          while (total(session, ended) < 100) {
            Thread.onSpinWait();
          }
          session.stop();
          assertThat(total(session, ended)).isLessThanOrEqualTo(total(session, begun) + earlier);
        }
      }
    }
  }

  @Test
  void returnsOfFunctionsOfPrograms() {
    Live.assumeSharedLibraries();
    assertPaired(
        () -> Probe.uprobe("libc", "lseek64"), () -> Probe.uretprobe("libc", "lseek64"), 0);
  }

  @Test
  @Tag("once")
  void returnsOfFunctionsOfTheKernel() {
    assumeTrue(
        Files.exists(Path.of("/sys/bus/event_source/devices/kprobe")), "the kernel has no kprobes");
    assertPaired(() -> Probe.kprobe("vfs_read"), () -> Probe.kretprobe("vfs_read"), 0);
  }

  @Test
  @Tag("oldest")
  void exitsOfSystemCalls() {
    assertPaired(
        () -> Probe.tracepoint("syscalls:sys_enter_lseek"),
        () -> Probe.tracepoint("syscalls:sys_exit_lseek"),
        THREADS);
    assertPaired(
        () -> Probe.tracepoint("raw_syscalls:sys_enter"),
        () -> Probe.tracepoint("raw_syscalls:sys_exit"),
        ManagementFactory.getThreadMXBean().getThreadCount() + 20);
  }
}
