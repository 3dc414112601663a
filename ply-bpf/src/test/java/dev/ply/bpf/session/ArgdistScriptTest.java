package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Session;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.DiagnosticRenderer;
import dev.ply.golden.GoldenFile;
import dev.ply.golden.GoldenTest;
import dev.ply.ir.Clause;
import dev.ply.ir.IrPrinter;
import dev.ply.ir.Script;
import dev.ply.lang.PlyScript;
import dev.ply.lang.bcc.ArgdistScript;
import dev.ply.lang.bcc.ArgdistScript.Request;
import dev.ply.lang.bcc.ArgdistSettings;
import dev.ply.lang.bcc.Collect;
import dev.ply.lang.print.ScriptPrinter;
import dev.ply.layout.Layout;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/**
 * Specifiers of argdist: the scripts that they become, what these print, and what is said of faulty
 * ones. Each line of the section "specifiers" is an option and what it takes.
 */
class ArgdistScriptTest {
  private static final SimulatedTarget TARGET = BccTarget.create();

  @TestFactory
  Stream<DynamicNode> outputs() {
    return GoldenTest.in("argdist")
        .section("script", file -> ScriptPrinter.print(translated(file).result().orThrow()))
        .section("output", file -> output(translated(file), file.text("events")))
        .tests();
  }

  /** Each line is a program of its own: its probes, which compile. */
  @TestFactory
  Stream<DynamicNode> examples() {
    return GoldenTest.in("argdist-examples")
        .section(
            "probes",
            file ->
                file.text("specifiers")
                    .lines()
                    .map(line -> probes(translate(line)))
                    .collect(Collectors.joining()))
        .tests();
  }

  /** Each line is a program of its own. */
  @TestFactory
  Stream<DynamicNode> faultySpecifiers() {
    return GoldenTest.in("argdist-faults")
        .section(
            "messages",
            file ->
                file.text("specifiers")
                    .lines()
                    .map(line -> messages(translate(line)))
                    .collect(Collectors.joining("\n")))
        .tests();
  }

  private static ArgdistScript translated(GoldenFile file) {
    return translate(file.text("specifiers"));
  }

  private static ArgdistScript translate(String lines) {
    List<Request> requests = new ArrayList<>();
    ArgdistSettings s = ArgdistSettings.DEFAULT;
    int size = s.stringSize();
    int seconds = s.seconds();
    OptionalInt outputs = s.outputs();
    OptionalInt top = s.top();
    OptionalLong thread = s.thread();
    boolean isCumulative = false;
    for (String line : lines.lines().toList()) {
      String value = line.substring(Math.min(3, line.length()));
      switch (line.substring(0, 2)) {
        case "-C" -> requests.add(new Request(Collect.COUNTS, value));
        case "-H" -> requests.add(new Request(Collect.HISTOGRAM, value));
        case "-z" -> size = Integer.parseInt(value);
        case "-i" -> seconds = Integer.parseInt(value);
        case "-n" -> outputs = OptionalInt.of(Integer.parseInt(value));
        case "-T" -> top = OptionalInt.of(Integer.parseInt(value));
        case "-t" -> thread = OptionalLong.of(Long.parseLong(value));
        case "-c" -> isCumulative = true;
        default -> throw new IllegalArgumentException("no option: " + line);
      }
    }
    return ArgdistScript.translate(
        requests,
        new ArgdistSettings(size, seconds, outputs, isCumulative, top, thread, List.of()));
  }

  private static String output(ArgdistScript script, String events) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (SimulatedTracer tracer = SimulatedTracer.create(TARGET);
        Session session =
            tracer
                .prepare(script.result().orThrow())
                .writeTo(out, Layout.argdist(script.tables()))
                .start()) {
      Firings.fire(tracer, events);
      session.stop();
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static String probes(ArgdistScript translated) {
    Script script = translated.result().orThrow();
    try (SimulatedTracer tracer = SimulatedTracer.create(TARGET)) {
      assertThat(tracer.prepare(script).warnings()).isEmpty();
    }
    String text = ScriptPrinter.print(script);
    assertThat(IrPrinter.print(PlyScript.parse(text))).isEqualTo(IrPrinter.print(script));
    List<Clause> probes = script.clauses().subList(0, translated.tables().size());
    return ScriptPrinter.print(
            new Script(script.configuration(), probes, List.of(), script.definitions(), List.of()))
        .replaceFirst("(?s)^config = .*?\n}\n\n?", "");
  }

  private static String messages(ArgdistScript script) {
    try (SimulatedTracer tracer = SimulatedTracer.create(TARGET)) {
      tracer.prepare(script.result().orThrow());
      return "accepted: " + script.source().text();
    } catch (CompilationException e) {
      return DiagnosticRenderer.render(e.diagnostics(), script.source());
    }
  }
}
