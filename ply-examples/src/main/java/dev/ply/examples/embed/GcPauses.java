package dev.ply.examples.embed;

import static dev.ply.Values.*;

import dev.ply.ActionProbe;
import dev.ply.EventProbe;
import dev.ply.Probe;
import dev.ply.ProbeBuilder;
import dev.ply.Variable;
import dev.ply.kernel.KernelTracer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** Prints the garbage collections of all JVMs that run from this one's files, by USDT probes. */
public final class GcPauses {
  record Pause(Instant end, int pid, Duration took) {}

  private static final Variable BEGUN = variable("begun", pid());

  static final ActionProbe BEGIN = gc("begin").set(BEGUN, time());

  static final EventProbe<Pause> PAUSES =
      gc("end").where(BEGUN.isSet()).emit(Pause.class, walltime(), pid(), time().minus(BEGUN));

  private static ProbeBuilder gc(String edge) {
    Path runtime = Path.of(System.getProperty("java.home"), "lib/server/libjvm.so");
    return Probe.usdt(runtime, "hotspot:gc__" + edge);
  }

  /** Traces the running kernel. */
  public static void main(String... args) {
    try (var tracer = KernelTracer.open();
        var session = tracer.start(BEGIN, PAUSES)) {
      session.stream(PAUSES).limit(10).forEach(System.out::println);
    }
  }
}
