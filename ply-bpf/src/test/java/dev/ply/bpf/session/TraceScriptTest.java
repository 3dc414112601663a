package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Session;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.DiagnosticRenderer;
import dev.ply.diagnostic.Severity;
import dev.ply.golden.GoldenFile;
import dev.ply.golden.GoldenTest;
import dev.ply.ir.IrPrinter;
import dev.ply.ir.Script;
import dev.ply.lang.PlyScript;
import dev.ply.lang.bcc.TraceScript;
import dev.ply.lang.bcc.TraceSettings;
import dev.ply.lang.bcc.TraceSettings.Time;
import dev.ply.lang.print.ScriptPrinter;
import dev.ply.layout.Layout;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/**
 * Specifiers of trace: the scripts that they become, what these print, and what is said of faulty
 * ones. Each line of the section "specifiers" is one, or an option.
 */
class TraceScriptTest {
  private static final SimulatedTarget TARGET = BccTarget.create();

  @TestFactory
  Stream<DynamicNode> outputs() {
    return GoldenTest.in("trace")
        .section("script", file -> ScriptPrinter.print(translated(file).result().orThrow()))
        .section("heading", file -> translated(file).heading() + "\n")
        .section("output", file -> output(translated(file), file.text("events")))
        .tests();
  }

  /** Each line is a program of its own: its probes, which compile. */
  @TestFactory
  Stream<DynamicNode> examples() {
    return GoldenTest.in("trace-examples")
        .section(
            "probes",
            file ->
                file.text("specifiers")
                    .lines()
                    .map(
                        line -> probes(TraceScript.translate(List.of(line), TraceSettings.DEFAULT)))
                    .collect(Collectors.joining()))
        .tests();
  }

  /** Each line is a program of its own. */
  @TestFactory
  Stream<DynamicNode> faultySpecifiers() {
    return GoldenTest.in("trace-faults")
        .section(
            "messages",
            file ->
                file.text("specifiers")
                    .lines()
                    .map(
                        line ->
                            messages(TraceScript.translate(List.of(line), TraceSettings.DEFAULT)))
                    .collect(Collectors.joining("\n")))
        .tests();
  }

  private static TraceScript translated(GoldenFile file) {
    List<String> specifiers = new ArrayList<>();
    Set<String> flags = new HashSet<>();
    int size = TraceSettings.DEFAULT.stringSize();
    for (String line : file.text("specifiers").lines().toList()) {
      if (line.startsWith("-Z")) {
        size = Integer.parseInt(line.substring(3));
      } else if (line.startsWith("-")) {
        flags.add(line);
      } else {
        specifiers.add(line);
      }
    }
    Time time =
        flags.contains("-T") ? Time.OF_DAY : flags.contains("-t") ? Time.SINCE_START : Time.NONE;
    return TraceScript.translate(
        specifiers,
        new TraceSettings(
            size,
            time,
            flags.contains("-C"),
            flags.contains("-K"),
            flags.contains("-U"),
            flags.contains("-a"),
            List.of()));
  }

  private static String output(TraceScript script, String events) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (SimulatedTracer tracer = SimulatedTracer.create(TARGET);
        Session session =
            tracer.prepare(script.result().orThrow()).writeTo(out, Layout.PLY).start()) {
      Firings.fire(tracer, events);
      session.stop();
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static String probes(TraceScript translated) {
    Script script = translated.result().orThrow();
    try (SimulatedTracer tracer = SimulatedTracer.create(TARGET)) {
      assertThat(tracer.prepare(script).warnings())
          .noneMatch(report -> report.severity() == Severity.WARNING);
    }
    String text = ScriptPrinter.print(script);
    assertThat(IrPrinter.print(PlyScript.parse(text))).isEqualTo(IrPrinter.print(script));
    return text;
  }

  private static String messages(TraceScript script) {
    try (SimulatedTracer tracer = SimulatedTracer.create(TARGET)) {
      tracer.prepare(script.result().orThrow());
      return "accepted: " + script.source().text() + "\n";
    } catch (CompilationException e) {
      return DiagnosticRenderer.render(e.diagnostics(), script.source());
    }
  }
}
