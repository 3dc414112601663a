package dev.ply.kernel;

import static dev.ply.Values.comm;
import static dev.ply.Values.ustack;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.AggregateProbe;
import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.table.Datum;
import dev.ply.table.Row;
import dev.ply.table.Table;
import dev.ply.target.UserSymbols.Frame;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Stack traces of processes that exit before anybody can read what they have mapped. */
@Tag("live")
@Tag("oldest")
@Timeout(300)
final class ShortLivedIT {
  private static final String NAME = "plyshortlived";
  private static final int RUNS = 40;

  @TempDir private Path directory;

  @BeforeEach
  void assume() {
    Live.assumeTracing();
    Live.assumeSharedLibraries();
  }

  /** Copies a program, under a name that only this test's processes have. */
  private Path copy(String program) throws IOException {
    Path copy = directory.resolve(program).resolve(NAME);
    Files.createDirectories(copy.getParent());
    return Files.copy(Path.of("/bin", program), copy);
  }

  private static AggregateProbe<Long> calls(String name) {
    return Probe.tracepoint("syscalls:sys_enter_" + name)
        .where(comm().eq(NAME))
        .by(ustack())
        .count()
        .named(name);
  }

  private static void run(String... command) throws Exception {
    assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
  }

  private static void assertAllCalled(Table<Long> calls, String function, int times) {
    assertThat(calls.rows().stream().mapToLong(Row::value).sum()).isEqualTo(times);
    // Few are missing: those whose hash is that of another, as every run has other addresses.
    List<Frame> innermost =
        calls.rows().stream()
            .map(row -> row.key().parts().get(0))
            .filter(Datum.UserStack.class::isInstance)
            .map(stack -> ((Datum.UserStack) stack).frames().get(0))
            .toList();
    assertThat(innermost).hasSizeGreaterThan(times * 3 / 4);
    assertThat(innermost)
        .allSatisfy(
            frame -> {
              assertThat(frame.binary().orElse("")).startsWith("libc");
              assertThat(frame.toString()).contains(function);
            });
  }

  @Test
  void theLastCallOfAProgramIsNamed() throws Exception {
    String program = copy("true").toString();
    var exits = calls("exit_group");
    try (KernelTracer tracer = KernelTracer.open();
        Session session = tracer.start(exits)) {
      for (int i = 0; i < RUNS; i++) {
        run(program);
      }
      session.stop();
      assertAllCalled(session.read(exits), "exit", RUNS);
    }
  }

  /** One PID has two images. */
  @Test
  void callsBeforeAndAfterExecAreNamed() throws Exception {
    String shell = copy("sh").toString();
    String program = copy("true").toString();
    var programs = calls("execve");
    var exits = calls("exit_group");
    try (KernelTracer tracer = KernelTracer.open();
        Session session = tracer.start(programs, exits)) {
      for (int i = 0; i < RUNS; i++) {
        run(shell, "-c", "exec " + program);
      }
      session.stop();
      assertAllCalled(session.read(programs), "execve", RUNS);
      assertAllCalled(session.read(exits), "exit", RUNS);
    }
  }

  /** What a subshell has mapped is what its parent had before tracing began. */
  @Test
  void aForkOfAnOlderProcessIsNamed() throws Exception {
    Process shell =
        new ProcessBuilder(copy("sh").toString(), "-c", "read x; (exit 3); read y").start();
    var exits = calls("exit_group");
    try (KernelTracer tracer = KernelTracer.open();
        Session session = tracer.start(exits)) {
      shell.getOutputStream().write("x\n".getBytes(StandardCharsets.US_ASCII));
      shell.getOutputStream().flush();
      while (session.read(exits).isEmpty()) {
        assertThat(session.await(Duration.ofMillis(10))).isFalse();
      }
      session.stop();
      assertAllCalled(session.read(exits), "exit", 1);
    } finally {
      shell.destroyForcibly();
    }
  }
}
