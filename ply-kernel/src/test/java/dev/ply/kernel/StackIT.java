package dev.ply.kernel;

import static dev.ply.Values.pid;
import static dev.ply.Values.stack;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.result.Loss;
import dev.ply.table.Datum;
import dev.ply.table.DatumFormat;
import dev.ply.target.KernelSymbols;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Stack traces of system calls that this process makes. */
@Tag("live")
@Tag("oldest")
class StackIT {
  private static final long SELF = ProcessHandle.current().pid();
  private static final KernelSymbols SYMBOLS = new RunningKernel().symbols();

  private final List<String> printed = Collections.synchronizedList(new ArrayList<>());
  private KernelTracer tracer;

  @BeforeEach
  void open() {
    Live.assumeTracing();
    tracer = KernelTracer.open();
  }

  @AfterEach
  void close() {
    if (tracer != null) {
      tracer.close();
    }
  }

  /** In the kernel, and not in a system call's tracepoint: those have no kernel stack on 6.1. */
  private static final String FORK = "sched:sched_process_fork";

  private static void startAThread() throws InterruptedException {
    Thread thread = new Thread(() -> {});
    thread.start();
    thread.join();
  }

  @Test
  void aStackIsAKey() throws InterruptedException {
    var forks = Probe.tracepoint(FORK).where(pid().eq(SELF)).by(stack()).count();
    try (Session session = tracer.start(forks)) {
      startAThread();
      session.stop();
      assertThat(session.read(forks).rows())
          .isNotEmpty()
          .allSatisfy(row -> assertThat(row.key().parts().get(0)).isInstanceOf(Datum.Stack.class))
          .anySatisfy(
              row ->
                  assertThat(new DatumFormat(SYMBOLS).format(row.key().parts().get(0)))
                      .matches("\n(\t[A-Za-z_][\\w.]*(\\+\\d+)?\n)+"));
      assertThat(session.lost(Loss.STACKS)).isZero();
    }
  }

  @Test
  void aStackIsPrintedFromAnEvent() throws Exception {
    var forks = Probe.tracepoint(FORK).where(pid().eq(SELF)).print(stack(), pid());
    try (Session session = tracer.prepare(forks).printTo(printed::add).start()) {
      startAThread();
      session.stop();
    }
    assertThat(printed).isNotEmpty();
    assertThat(printed.get(0)).matches("(?s)\n\t[a-z_].*").endsWith("\n, " + SELF + "\n");
  }

  @Test
  void whatRunsBeforeAndAfterEverythingHasAStackToo() {
    var begin = Probe.begin().print(stack());
    var end = Probe.end().print(stack());
    try (Session session = tracer.prepare(begin, end).printTo(printed::add).start()) {
      session.stop();
    }
    assertThat(printed).hasSize(2).allSatisfy(text -> assertThat(text).contains("sys_bpf"));
  }
}
