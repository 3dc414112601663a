package dev.ply.bpf.session;

import static dev.ply.Values.comm;
import static dev.ply.Values.cpu;
import static dev.ply.Values.field;
import static dev.ply.Values.nsecs;
import static dev.ply.Values.pid;
import static dev.ply.Values.stack;
import static dev.ply.Values.str;
import static dev.ply.Values.time;
import static dev.ply.Values.tuple;
import static dev.ply.Values.variable;

import dev.ply.EventProbe;
import dev.ply.Probe;
import dev.ply.ProbeBuilder;
import dev.ply.Value;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.golden.GoldenTest;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/** What is wrong between a record and its values is reported at the Java line, when prepared. */
class EventErrorsTest {
  private static final ProbeBuilder OPENAT = Probe.tracepoint("syscalls:sys_enter_openat");

  private record Open(int pid, String comm, String path) {}

  private record One<T>(T value) {}

  private record Narrow(short pid) {}

  private record Int(int time) {}

  private record Text(String pid) {}

  private record Named(long name) {}

  private record Real(double pid) {}

  private record Started(Instant at) {}

  private record Took(Duration time) {}

  private record Peer(InetAddress address) {}

  private record Trace(long stack) {}

  private record Endpoint(InetAddress address, int port) {}

  private record Connection(int pid, Endpoint from) {}

  private record Node(int pid, Node next) {}

  private record At(State state) {}

  private enum State {
    ESTABLISHED,
    CLOSED
  }

  private static Map<String, EventProbe<?>> cases() {
    Map<String, EventProbe<?>> cases = new LinkedHashMap<>();
    Value path = str(field("filename"));
    cases.put("too few values", OPENAT.emit(Open.class, pid(), comm()));
    cases.put("too many values", OPENAT.emit(Narrow.class, pid(), comm()));
    cases.put("swapped values", OPENAT.emit(Open.class, pid(), path, comm()));
    cases.put("too narrow", OPENAT.emit(Narrow.class, pid()));
    cases.put("64 bits in an int", OPENAT.emit(Int.class, time()));
    cases.put("a number for a string", OPENAT.emit(Text.class, pid()));
    cases.put("a string for a number", OPENAT.emit(Named.class, comm()));
    cases.put("a floating-point number", OPENAT.emit(Real.class, pid()));
    cases.put("an unsupported type", OPENAT.emit(One.class, pid()));
    cases.put("a plain number for a time", OPENAT.emit(Started.class, nsecs()));
    cases.put("a string for a duration", OPENAT.emit(Took.class, comm()));
    cases.put("a string for an address", OPENAT.emit(Peer.class, comm()));
    cases.put("a stack for a number", OPENAT.emit(Trace.class, stack()));
    cases.put("too few for a record", OPENAT.emit(Connection.class, pid(), cpu()));
    cases.put("inside a record", OPENAT.emit(Connection.class, pid(), comm(), time()));
    cases.put("a record in itself", OPENAT.emit(Node.class, pid(), tuple(pid(), cpu())));
    cases.put("an enum without UNKNOWN", OPENAT.emit(At.class, cpu()));
    cases.put("a whole map", OPENAT.emit(One.class, variable("@m")));
    cases.put("several at once", OPENAT.emit(Open.class, comm(), pid(), pid()));
    return cases;
  }

  @TestFactory
  Stream<DynamicNode> golden() {
    GoldenTest tests = GoldenTest.in("events");
    for (Map.Entry<String, EventProbe<?>> one : cases().entrySet()) {
      tests = tests.section(one.getKey(), unused -> errors(one.getValue()));
    }
    return tests.tests();
  }

  private static String errors(EventProbe<?> probe) throws IOException {
    try (SimulatedTracer tracer = SimulatedTracer.create()) {
      tracer.prepare(probe, Probe.begin().count().named("m")).close();
      return "";
    } catch (CompilationException e) {
      StringBuilder out = new StringBuilder();
      for (Diagnostic diagnostic : e.diagnostics()) {
        out.append("error[").append(diagnostic.code()).append("]: ");
        out.append(diagnostic.message()).append('\n');
        out.append("  | ").append(line(diagnostic)).append('\n');
        diagnostic.hints().forEach(hint -> out.append("  = ").append(hint).append('\n'));
      }
      return out.toString();
    }
  }

  /** Returns the line of this file that the error names: its number would change often. */
  private static String line(Diagnostic diagnostic) throws IOException {
    String folder = EventErrorsTest.class.getPackageName().replace('.', '/');
    Path source =
        Path.of(System.getProperty("basedir", ""))
            .resolve("src/test/java")
            .resolve(folder)
            .resolve(diagnostic.span().source());
    List<String> lines = Files.readAllLines(source);
    return lines.get(diagnostic.span().line() - 1).strip();
  }
}
