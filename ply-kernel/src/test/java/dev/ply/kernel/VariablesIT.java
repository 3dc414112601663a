package dev.ply.kernel;

import static dev.ply.Values.field;
import static dev.ply.Values.number;
import static dev.ply.Values.pid;
import static dev.ply.Values.variable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.TraceOptions;
import dev.ply.Variable;
import java.io.IOException;
import java.io.RandomAccessFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Variables of a trace of the running kernel that Java reads and sets. */
@Tag("live")
@Tag("oldest")
final class VariablesIT {
  private static final long MARK = 0x5eed_1000L;

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  @Test
  void aThresholdChangesWhileTracing() throws Exception {
    Variable least = variable("least");
    var begin = Probe.begin().set(least, number(MARK + 10));
    var seeks =
        Probe.tracepoint("syscalls:sys_enter_lseek")
            .where(pid().eq(ProcessHandle.current().pid()).and(field("offset").ge(least)))
            .by(field("offset"))
            .count();
    try (KernelTracer tracer = KernelTracer.open();
        Session session = tracer.start(begin, seeks)) {
      seek(MARK + 1);
      seek(MARK + 10);
      session.set(least, MARK);
      seek(MARK + 1);
      assertThat(session.read(seeks).get(MARK + 1)).contains(1L);
      assertThat(session.read(seeks).get(MARK + 10)).contains(1L);
      assertThat(session.read(least).single().toText()).isEqualTo(Long.toString(MARK));
    }
  }

  @Test
  void aFullVariableIsReported() {
    Variable last = variable("last", pid());
    var seeks = Probe.tracepoint("syscalls:sys_enter_lseek").where(number(0)).set(last, pid());
    try (KernelTracer tracer = KernelTracer.open(TraceOptions.DEFAULT.withMapEntries(1));
        Session session = tracer.start(seeks)) {
      session.set(last, 1, 7);
      assertThatIllegalStateException()
          .isThrownBy(() -> session.set(last, 1, 8))
          .withMessage("map \"last\" is full: it holds 1 entries");
      assertThat(session.read(last).get(7)).isPresent();
    }
  }

  private static void seek(long offset) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile("/dev/zero", "r")) {
      file.seek(offset);
    }
  }
}
