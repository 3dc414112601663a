package dev.ply.kernel;

import static dev.ply.Values.field;
import static dev.ply.Values.pid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.result.Loss;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;

/** A map of many keys; {@code -Dmap.keys=1000000} for as many as one likes. */
@Tag("live")
@Tag("oldest")
@Timeout(300)
final class LargeMapIT {
  private static final int KEYS = Integer.getInteger("map.keys", 20_000);

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  @Test
  void everyKeyIsReadOnceAndTakenOnce(TestReporter reporter) throws Exception {
    var calls =
        Probe.tracepoint("syscalls:sys_enter_lseek")
            .where(pid().eq(ProcessHandle.current().pid()).and(field("whence").eq(0)))
            .by(field("offset"))
            .count();
    CompilerOptions options = CompilerOptions.DEFAULT.withMapEntries(KEYS + KEYS / 2);
    try (KernelTracer tracer = KernelTracer.open(options);
        Session session = tracer.start(calls)) {
      try (var file = new RandomAccessFile("/dev/zero", "r")) {
        for (int i = 0; i < KEYS; i++) {
          file.seek(i);
        }
      }
      session.stop();
      assertThat(session.lost(Loss.UPDATES)).isZero();
      long begin = cpuTime();
      var table = session.read(calls);
      long read = cpuTime();
      assertThat(table.size()).isGreaterThanOrEqualTo(KEYS);
      for (int i = 1; i < KEYS; i += KEYS / 97) {
        assertThat(table.get((long) i)).contains(1L);
      }
      long take = cpuTime();
      assertThat(session.take(calls).size()).isEqualTo(table.size());
      long taken = cpuTime();
      assertThat(session.take(calls).rows()).isEmpty();
      reporter.publishEntry(
          KEYS + " keys",
          "CPU time to read " + millis(begin, read) + ", to take " + millis(take, taken));
    }
  }

  private static long cpuTime() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static String millis(long begin, long end) {
    return Duration.ofNanos(end - begin).toMillis() + " ms";
  }
}
