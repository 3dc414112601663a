package dev.ply.bpf.session;

import static dev.ply.Values.arg;
import static dev.ply.Values.comm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.diagnostic.CompilationException;
import dev.ply.name.Errno;
import dev.ply.name.Signal;
import dev.ply.name.SystemCall;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Errors, signals and system calls in records: of events, and of rows. */
class TypedNumbersTest {
  private record Result(SystemCall call, Errno error, Signal signal) {}

  private record Count(SystemCall call, Errno error, Signal signal, long count) {}

  private static Firing hit(long call, long result, long signal) {
    return Firing.kprobe("vfs_read").arg(0, call).arg(1, result).arg(2, signal);
  }

  @Test
  void numbersOfEventsHaveTheirNames() {
    var results = Probe.kprobe("vfs_read").emit(Result.class, arg(0), arg(1), arg(2).cast("u32"));
    List<Result> seen = new ArrayList<>();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.prepare(results).listen(results, seen::add).start()) {
      tracer.fire(hit(257, -2, 9));
      tracer.fire(hit(0, 3, 40));
      tracer.fire(hit(9999, -4000, 65));
      tracer.fire(hit(-1, -4096, 0));
      assertThat(session.end()).isEmpty();
    }
    assertThat(seen)
        .containsExactly(
            new Result(new SystemCall(257, "openat"), Errno.ENOENT, Signal.SIGKILL),
            new Result(new SystemCall(0, "read"), Errno.NONE, Signal.SIGRTMIN_6),
            new Result(new SystemCall(9999, "9999"), Errno.UNKNOWN, Signal.UNKNOWN),
            new Result(new SystemCall(-1, "-1"), Errno.NONE, Signal.NONE));
  }

  @Test
  void anErrorOf32BitsIsSigned() {
    record Failure(Errno error) {}
    var failures = Probe.kprobe("vfs_read").emit(Failure.class, arg(1).cast("s32"));
    List<Failure> seen = new ArrayList<>();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.prepare(failures).listen(failures, seen::add).start()) {
      tracer.fire(hit(0, 0xffff_fff3L, 0));
      assertThat(session.end()).isEmpty();
    }
    assertThat(seen).containsExactly(new Failure(Errno.EACCES));
  }

  @Test
  void numbersOfKeysHaveTheirNames() {
    var counts = Probe.kprobe("vfs_read").by(arg(0), arg(1), arg(2)).count();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(counts)) {
      tracer.fire(hit(1, -11, 15));
      assertThat(session.read(counts).rowsAs(Count.class))
          .containsExactly(new Count(new SystemCall(1, "write"), Errno.EAGAIN, Signal.SIGTERM, 1));
    }
  }

  @Test
  void stringsAreNoNumbers() {
    try (SimulatedTracer tracer = SimulatedTracer.create()) {
      assertThatThrownBy(
              () ->
                  tracer.prepare(
                      Probe.kprobe("vfs_read").emit(Result.class, comm(), comm(), comm())))
          .isInstanceOf(CompilationException.class)
          .hasMessageContaining("component \"call\" (SystemCall): this is a string")
          .hasMessageContaining("component \"error\" (Errno): this is a string")
          .hasMessageContaining("component \"signal\" (Signal): this is a string");
    }
  }
}
