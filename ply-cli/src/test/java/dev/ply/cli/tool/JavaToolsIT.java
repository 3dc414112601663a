package dev.ply.cli.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.cli.Call;
import dev.ply.kernel.JavaProcess;
import dev.ply.kernel.Live;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tools for Java processes, on one of which a test knows what it does. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class JavaToolsIT {
  private static final int TIMES = 3;
  private static final long NAP = TimeUnit.MILLISECONDS.toNanos(50);

  private Process traced;
  private Process other;

  /** Does each thing {@link #TIMES} times for each line of its input. */
  static final class Busy {
    private Busy() {}

    public static void main(String... arguments) throws Exception {
      System.out.println("ready");
      while (System.in.read() == '\n') {
        for (int i = 0; i < TIMES; i++) {
          System.gc();
          Thread thread = new Thread(Busy::work, "worker-" + i);
          thread.start();
          thread.join();
        }
        System.out.println("done");
      }
    }

    private static void work() {
      long begin;
      do {
        // Parked for all of it: what the thread does before it parks is not waiting.
        begin = System.nanoTime();
        LockSupport.parkNanos(NAP);
      } while (System.nanoTime() - begin < NAP);
      long sum = 0;
      for (long end = System.nanoTime() + 4 * NAP; System.nanoTime() < end; ) {
        sum += end;
      }
      assertThat(sum).isNotZero();
    }
  }

  @BeforeEach
  void start() throws IOException {
    Live.assumeTracing();
    traced = busy();
    other = busy();
  }

  private static Process busy() throws IOException {
    Process process = new ProcessBuilder(JavaProcess.command(Busy.class)).start();
    await(process, "ready\n");
    return process;
  }

  private static void await(Process process, String line) throws IOException {
    assertThat(process.getInputStream().readNBytes(line.length())).asString().isEqualTo(line);
  }

  @AfterEach
  void end() {
    Stream.of(traced, other).filter(process -> process != null).forEach(Process::destroyForcibly);
  }

  private Call during(String... words) throws Exception {
    return LiveTool.during(
        () -> {
          for (Process process : List.of(other, traced)) {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
          }
          await(other, "done\n");
          await(traced, "done\n");
        },
        Stream.concat(Stream.of(words), Stream.of("-p", String.valueOf(traced.pid())))
            .toArray(String[]::new));
  }

  @Test
  @Answers("javagc")
  void collectionsAreShown() throws Exception {
    Call call = during("javagc", "-j");
    assertThat(call.errors()).isEmpty();
    assertThat(call.output().lines().filter(line -> line.contains("\"full\": 1"))).hasSize(TIMES);
    assertThat(call.output().lines()).allMatch(line -> line.contains(": " + traced.pid() + ", "));
  }

  @Test
  @Answers("javathreads")
  void threadsAreShown() throws Exception {
    Call call = during("javathreads", "-j");
    for (int i = 0; i < TIMES; i++) {
      for (String event : new String[] {"start", "stop"}) {
        String name = "\"name\": \"worker-" + i + "\"}";
        assertThat(
                call.output().lines().filter(line -> line.contains(event) && line.endsWith(name)))
            .hasSize(1);
      }
    }
  }

  @Test
  @Answers("javalocks")
  void waitsAreAddedUp() throws Exception {
    Call call = during("javalocks", "-j");
    long all =
        call.output()
            .lines()
            .filter(line -> line.contains("worker-"))
            .mapToLong(line -> Long.parseLong(line.replaceAll(".*\"value\": (\\d+).*", "$1")))
            .sum();
    assertThat(all).isGreaterThanOrEqualTo(TIMES * NAP);
  }

  @Test
  @Answers("javastacks")
  void stacksHaveTheNamesOfMethods() throws Exception {
    Call call = during("javastacks", "-f", "folded");
    assertThat(call.output().lines())
        .anyMatch(line -> line.matches("worker-\\d;.*Busy.*work.* \\d+"));
  }
}
