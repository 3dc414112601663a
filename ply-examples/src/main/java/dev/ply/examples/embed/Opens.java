package dev.ply.examples.embed;

import static dev.ply.Values.*;

import dev.ply.EventProbe;
import dev.ply.Probe;
import dev.ply.kernel.KernelTracer;
import dev.ply.type.Escapes;

/** Prints the next ten files that any process opens. */
public final class Opens {
  record Open(int pid, String comm, String path) {}

  static final EventProbe<Open> OPENS =
      Probe.tracepoint("syscalls:sys_enter_openat")
          .emit(Open.class, pid(), comm(), str(field("filename")));

  /** Traces the running kernel. */
  public static void main(String... args) {
    try (var tracer = KernelTracer.open();
        var session = tracer.start(OPENS)) {
      session.stream(OPENS).limit(10).map(Open::toString).forEach(Opens::println);
    }
  }

  private static void println(String traced) {
    System.out.println(Escapes.escape(traced));
  }
}
