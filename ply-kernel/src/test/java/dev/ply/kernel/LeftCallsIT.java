package dev.ply.kernel;

import static dev.ply.Values.arg;
import static dev.ply.Values.entry;
import static dev.ply.Values.retval;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.lang.PlyScript;
import dev.ply.result.Loss;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls of a program that end without a return, and those that do return: paired, each once. */
@Tag("live")
@Tag("oldest")
final class LeftCallsIT {
  /** Whatever returns from {@code f} or {@code g} returns its argument. */
  private static final String PROGRAM =
      """
      #include <pthread.h>
      #include <setjmp.h>
      #include <stdlib.h>

      static __thread jmp_buf out;
      volatile int sink;

      __attribute__((noipa)) long f(long n, int how) {
        volatile char frame[64];
        frame[n % 64] = 1;
        switch (how) {
          case 1: longjmp(out, 1);
          case 2: pthread_exit(0);
          case 4: if (n % 50) { sink += f(n - 1, 4); } break;
        }
        /* Nested before it is left. */
        if (how > 30) { sink += f(n + 1000, how - 1); }
        if (how == 30) { longjmp(out, 1); }
        return n + frame[n % 64] - 1;
      }
      __attribute__((noipa)) long g(long n) { return f(n, 0); }

      /* Below its caller's frame, by so much. */
      __attribute__((noipa)) void left(long n, int how, int words) {
        volatile long *space = __builtin_alloca(8 * words + 8);
        space[0] = n;
        if (!setjmp(out)) f(n, how);
        sink += space[0];
      }

      static void *thread(void *n) { f((long) n, 2); return 0; }

      int main(void) {
        for (long i = 0; i < 200; i++) left(100000 + i, 1, 0);
        f(1, 0);
        for (long i = 0; i < 200; i++) left(200000 + i, 1, i % 40);
        f(2, 0);
        for (long i = 0; i < 200; i++) left(300000 + i, 30 + i % 20, i % 7);
        f(3, 0);
        f(49, 4);
        for (long i = 0; i < 200; i++) {
          pthread_t one;
          if (pthread_create(&one, 0, thread, (void *) (400000 + i))) return 1;
          pthread_join(one, 0);
        }
        f(4, 0);
        for (long i = 0; i < 100; i++) g(5);
        return 0;
      }
      """;

  @TempDir private Path directory;

  @BeforeEach
  void compile() throws Exception {
    Live.assumeTracing();
    Live.assumeSharedLibraries();
    Path source = Files.writeString(directory.resolve("left.c"), PROGRAM);
    assertThat(
            new ProcessBuilder(
                    "gcc", "-O2", "-pthread", "-o", program().toString(), source.toString())
                .inheritIO()
                .start()
                .waitFor())
        .isZero();
  }

  private Path program() {
    return directory.resolve("left");
  }

  private void run() throws Exception {
    assertThat(new ProcessBuilder(program().toString()).start().waitFor()).isZero();
  }

  @Test
  void whatReturnsIsPairedWithItsEntry() throws Exception {
    var pairs = Probe.uretprobe(program(), "f").by(retval(), entry(arg(0))).count();
    try (KernelTracer tracer = KernelTracer.open();
        Session session = tracer.start(pairs)) {
      run();
      session.stop();
      var table = session.read(pairs);
      table.forEach(row -> assertThat(row.key().number(1)).isEqualTo(row.key().number(0)));
      for (long once : new long[] {1, 2, 3, 4, 30, 49}) {
        assertThat(table.get(once, once).orElseThrow()).as("f(%d)", once).isPositive();
      }
      assertThat(table.get(5L, 5L)).contains(101L);
      // Each of the 50 nested calls, and those that only were called.
      assertThat(table.stream().mapToLong(row -> row.value()).sum()).isEqualTo(4 + 50 + 100);
      assertThat(session.lost(Loss.UNPAIRED_CALLS)).isZero();
      assertThat(session.lost(Loss.UPDATES)).isZero();
    }
  }

  @Test
  void aFunctionThatIsCalledInsteadOfReturningIsPairedToo() throws Exception {
    String script = "uretprobe:%1$s:f, uretprobe:%1$s:g { @[retval, entry(arg0)] = count(); }";
    try (KernelTracer tracer = KernelTracer.open();
        Session session = tracer.prepare(PlyScript.parse(script.formatted(program()))).start()) {
      run();
      session.stop();
      var table = session.tables().get(0).table();
      table.forEach(row -> assertThat(row.key().number(1)).isEqualTo(row.key().number(0)));
      assertThat(session.lost(Loss.UNPAIRED_CALLS)).isZero();
    }
  }
}
