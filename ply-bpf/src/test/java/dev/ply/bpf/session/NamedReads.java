package dev.ply.bpf.session;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.lang.PlyScript;
import dev.ply.layout.Layout;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** A machine on which {@link NamedFunctions} call {@code vfs_read}. */
final class NamedReads {
  static final SimulatedTarget TARGET =
      SimulatedTarget.create()
          .withFunction("vfs_read", 0xffff_ffff_8100_0000L)
          .withFunction("ksys_read", 0xffff_ffff_8100_0100L)
          .withUserSymbols(new NamedFunctions());

  static final Firing READ = Firing.kprobe("vfs_read");

  private NamedReads() {}

  /** Returns what a script prints about the calls. */
  static String run(String script, Layout layout, Consumer<SimulatedTracer> calls) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (var tracer = SimulatedTracer.create(TARGET);
        PreparedTrace trace = tracer.prepare(PlyScript.parse(script)).writeTo(bytes, layout);
        Session session = trace.start()) {
      calls.accept(tracer);
      session.stop();
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
