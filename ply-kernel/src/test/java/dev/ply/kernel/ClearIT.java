package dev.ply.kernel;

import static dev.ply.Values.field;
import static dev.ply.Values.pid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.lang.PlyScript;
import dev.ply.result.Loss;
import dev.ply.table.Datum;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nothing that is counted between reading a map and clearing it is lost, or counted twice. */
@Tag("live")
@Tag("oldest")
@Timeout(300)
final class ClearIT {
  private static final long SELF = ProcessHandle.current().pid();
  private static final int MARK = 0x5eed;
  private static final int THREADS = 2;

  /** An emulated machine takes a minute for a million. */
  private static final int PER_THREAD = System.getProperty("ply.guest") == null ? 300_000 : 30_000;

  private static final Pattern COUNT = Pattern.compile("\\}: (\\d+)\n");

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  private static void seek(int times, int offset) {
    try (var file = new RandomAccessFile("/dev/zero", "r")) {
      for (int i = 0; i < times; i++) {
        file.seek(offset);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Thread> hammer() {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Thread thread = new Thread(() -> seek(PER_THREAD, MARK));
      threads.add(thread);
      thread.start();
    }
    return threads;
  }

  @Test
  void whatAScriptPrintsAndClearsAddsUp() throws Exception {
    List<String> printed = Collections.synchronizedList(new ArrayList<>());
    var script =
        PlyScript.parse(
            "tracepoint:syscalls:sys_enter_lseek / pid == "
                + SELF
                + " && data->offset == "
                + MARK
                + " / { @[1] = count(); } interval:3ms { print(@); clear(@); }");
    try (KernelTracer tracer = KernelTracer.open();
        Session session = tracer.prepare(script).printTo(printed::add).start()) {
      int rounds = 0;
      // An emulated machine can be so quick, or so late, that one interval has all of a round.
      do {
        for (Thread thread : hammer()) {
          thread.join();
        }
        rounds++;
      } while (prints(printed) < 2);
      session.stop();
      long rest =
          session.tables().get(0).table().rows().stream()
              .mapToLong(row -> ((Datum.Int) row.value()).value())
              .sum();
      long sum = 0;
      for (String text : printed) {
        Matcher count = COUNT.matcher(text);
        if (count.find()) {
          sum += Long.parseLong(count.group(1));
        }
      }
      assertThat(sum + rest).isEqualTo((long) rounds * THREADS * PER_THREAD);
    }
  }

  private static long prints(List<String> printed) {
    return List.copyOf(printed).stream().filter(text -> COUNT.matcher(text).find()).count();
  }

  @Test
  void whatIsTakenAddsUp() throws Exception {
    var calls =
        Probe.tracepoint("syscalls:sys_enter_lseek")
            .where(pid().eq(SELF).and(field("offset").eq(MARK)))
            .by(field("offset"))
            .count();
    try (KernelTracer tracer = KernelTracer.open();
        Session session = tracer.start(calls)) {
      List<Thread> threads = hammer();
      long sum = 0;
      int takes = 0;
      while (threads.stream().anyMatch(Thread::isAlive)) {
        sum += session.take(calls).get((long) MARK).orElse(0L);
        takes++;
      }
      session.stop();
      sum += session.take(calls).get((long) MARK).orElse(0L);
      assertThat(takes).isGreaterThan(1);
      assertThat(sum).isEqualTo((long) THREADS * PER_THREAD);
      assertThat(session.take(calls).rows()).isEmpty();
    }
  }

  /** More keys come and go than fit at once. */
  @Test
  void keysThatAreNotUsedAnyMoreMakeRoomForOthers() throws Exception {
    var calls =
        Probe.tracepoint("syscalls:sys_enter_lseek")
            .where(
                pid()
                    .eq(SELF)
                    .and(field("offset").ge(MARK))
                    // The runtime seeks, too, in the jars of the classes that it loads.
                    .and(field("offset").lt(MARK + 1000)))
            .by(field("offset"))
            .count();
    try (KernelTracer tracer = KernelTracer.open(CompilerOptions.DEFAULT.withMapEntries(64));
        Session session = tracer.start(calls)) {
      long rows = 0;
      for (int round = 0; round < 50; round++) {
        for (int key = 0; key < 20; key++) {
          seek(1, MARK + round * 20 + key);
        }
        rows += session.take(calls).size();
      }
      session.stop();
      assertThat(session.lost(Loss.UPDATES)).isZero();
      assertThat(rows).isEqualTo(1000);
      assertThat(session.await(Duration.ZERO)).isTrue();
    }
  }
}
