package dev.ply.kernel;

import static dev.ply.Values.bothStacks;
import static dev.ply.Values.pid;
import static dev.ply.Values.ustack;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.AggregateProbe;
import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.table.Row;
import dev.ply.table.Stack;
import dev.ply.table.StackMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Stacks by function, and of kernel and process, of a program that calls from two lines. */
@Tag("live")
class StackFormsIT {
  private static final int ROUNDS = 50;

  private static final String PROGRAM =
      """
      #define _GNU_SOURCE
      #include <stdio.h>
      #include <sys/syscall.h>
      #include <unistd.h>
      __attribute__((noinline)) static void work(int rounds) {
        for (int i = 0; i < rounds; i++) {
          syscall(SYS_getppid);
          syscall(SYS_getppid);
        }
      }
      int main(void) {
        getchar();
        work(%d);
        return getchar();
      }
      """
          .formatted(ROUNDS);

  @TempDir Path directory;

  private record Calls(Stack stack, long count) {}

  private Process started() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "there is no /usr/bin/gcc");
    Path source = Files.writeString(directory.resolve("two.c"), PROGRAM);
    Path program = directory.resolve("two");
    List<String> command =
        List.of(
            "gcc", "-O1", "-fno-omit-frame-pointer", "-o", program.toString(), source.toString());
    assumeTrue(
        new ProcessBuilder(command).start().waitFor() == 0, "gcc cannot compile a program here");
    return new ProcessBuilder(program.toString()).start();
  }

  private static List<String> functions(Stack stack) {
    return stack.frames().stream().map(Stack.Frame::function).toList();
  }

  @Test
  @Timeout(300)
  void callsFromTwoLinesAreOneRow() throws Exception {
    Live.assumeTracing();
    Process process = started();
    var calls = Probe.tracepoint("syscalls:sys_enter_getppid").where(pid().eq(process.pid()));
    AggregateProbe<Long> exact = calls.by(ustack()).count().named("exact");
    AggregateProbe<Long> merged = calls.by(ustack(StackMode.FUNCTIONS)).count().named("merged");
    AggregateProbe<Long> both = calls.by(bothStacks()).count().named("both");
    try (KernelTracer tracer = KernelTracer.open();
        Session session = tracer.start(exact, merged, both)) {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
      while (session.read(exact).stream().mapToLong(Row::value).sum() < 2 * ROUNDS) {
        session.await(Duration.ofMillis(10));
      }
      session.stop();
      assertThat(session.read(exact).rows())
          .extracting(Row::value)
          .containsOnly((long) ROUNDS)
          .hasSize(2);
      assertThat(session.read(merged).rowsAs(Calls.class))
          .singleElement()
          .satisfies(
              row -> {
                assertThat(row.count()).isEqualTo(2 * ROUNDS);
                assertThat(functions(row.stack())).startsWith("syscall", "work", "main");
                assertThat(row.stack().frames())
                    .allSatisfy(frame -> assertThat(frame.line()).isEmpty());
              });
      assertThat(session.read(both).rowsAs(Calls.class))
          .hasSize(2)
          .allSatisfy(
              row -> {
                List<String> names = functions(row.stack());
                assertThat(row.stack().frames().get(0).address()).isNegative();
                assertThat(names).containsSubsequence("syscall", "work", "main");
                assertThat(names.get(names.size() - 1)).isNotEqualTo("main");
              });
    } finally {
      process.destroyForcibly();
    }
  }
}
