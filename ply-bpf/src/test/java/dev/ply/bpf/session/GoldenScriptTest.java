package dev.ply.bpf.session;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.analysis.AnalyzedScript;
import dev.ply.analysis.Analyzer;
import dev.ply.bpf.asm.Disassembler;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.ProbeProgram;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.bpf.verifier.VerificationReport;
import dev.ply.bpf.verifier.Verifier;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.DiagnosticRenderer;
import dev.ply.diagnostic.Source;
import dev.ply.golden.GoldenFile;
import dev.ply.golden.GoldenTest;
import dev.ply.ir.IrPrinter;
import dev.ply.lang.ParseResult;
import dev.ply.lang.PlyScript;
import dev.ply.lang.ScriptParser;
import dev.ply.lang.argument.ScriptArguments;
import dev.ply.machine.Architecture;
import dev.ply.table.DatumFormat;
import dev.ply.table.NamedTable;
import dev.ply.table.TableFormat;
import dev.ply.target.PidNamespace;
import dev.ply.type.TextBytes;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

@Tag("any-java")
class GoldenScriptTest {
  private static final SimulatedTarget TARGET = Stage.target(Architecture.X86_64);
  private static final SimulatedTarget CONTAINER =
      TARGET.withPidNamespace(new PidNamespace(4, 0xF0000001L));

  @TestFactory
  Stream<DynamicNode> scripts() {
    return GoldenTest.in("compile")
        .section("ir", file -> IrPrinter.print(PlyScript.parse(file.text("source"))))
        .section("bpf", file -> listing(compile(file)))
        .section("verify", file -> verdicts(compile(file)))
        .section("run", file -> run(file.text("source"), file.section("events").orElse("")))
        .tests();
  }

  /** In a container, IDs are those of its PID namespace. */
  @TestFactory
  Stream<DynamicNode> containers() {
    return GoldenTest.in("container")
        .section("bpf", file -> listing(compile(file, CONTAINER)))
        .section("verify", file -> verdicts(compile(file, CONTAINER)))
        .tests();
  }

  /** Each line of the section "source" is a script of its own. */
  @TestFactory
  Stream<DynamicNode> refusedScripts() {
    return GoldenTest.in("diagnostic")
        .section(
            "diagnostics",
            file ->
                file.text("source")
                    .lines()
                    .map(GoldenScriptTest::refusal)
                    .collect(Collectors.joining("\n")))
        .tests();
  }

  /** Whole scripts, and what is said about all their faults in one go. */
  @TestFactory
  Stream<DynamicNode> faults() {
    return GoldenTest.in("faults").section("diagnostics", GoldenScriptTest::faults).tests();
  }

  private static String faults(GoldenFile file) {
    Source source = new Source("x.ply", file.text("source"));
    Map<String, String> environment = new HashMap<>();
    file.section("environment")
        .orElse("")
        .lines()
        .map(line -> line.split("=", 2))
        .forEach(pair -> environment.put(pair[0], pair[1]));
    ScriptArguments arguments = ScriptArguments.ofEnvironment(environment);
    Optional<Long> shell = file.section("shell").map(pid -> Long.parseLong(pid.strip()));
    ParseResult result =
        ScriptParser.parse(
            source,
            shell
                .map(pid -> arguments.withCommand(new ScriptArguments.Command(pid, true)))
                .orElse(arguments));
    try {
      return DiagnosticRenderer.render(
              new Analyzer(TARGET).analyze(result.script(), result.diagnostics()).warnings(),
              source)
          + IrPrinter.print(result.script());
    } catch (CompilationException e) {
      return DiagnosticRenderer.render(e.diagnostics(), source);
    }
  }

  private static BpfObject compile(GoldenFile file) {
    return compile(file, TARGET);
  }

  private static BpfObject compile(GoldenFile file, SimulatedTarget target) {
    return new TraceCompiler(target, CompilerOptions.DEFAULT)
        .compile(PlyScript.parse(file.text("source")));
  }

  private static String listing(BpfObject object) {
    StringBuilder out = new StringBuilder();
    for (ProbeProgram program : object.programs()) {
      out.append(program.title()).append('\n');
      out.append(Disassembler.listing(program.program().code()));
    }
    return out.toString();
  }

  private static String verdicts(BpfObject object) {
    StringBuilder out = new StringBuilder();
    Verifier verifier = new Verifier(object.maps(), TARGET.types());
    for (ProbeProgram program : object.programs()) {
      VerificationReport report = verifier.verify(program.program());
      out.append(program.title())
          .append(report.isAccepted() ? ": accepted, " : ": refused, ")
          .append(report.instructions())
          .append(" slots, ")
          .append(report.stackDepth())
          .append(" bytes of stack\n");
    }
    return out.toString();
  }

  /** Runs a script from its start to its end; what it printed, its status, its maps. */
  private static String run(String source, String events) {
    StringBuilder out = new StringBuilder();
    try (var tracer = SimulatedTracer.create(TARGET);
        PreparedTrace trace = tracer.prepare(PlyScript.parse(source)).printTo(out::append);
        Session session = trace.start()) {
      Firings.fire(tracer, events);
      session.stop();
      session.exitStatus().ifPresent(status -> out.append("exit ").append(status).append('\n'));
      TableFormat format = new TableFormat(new DatumFormat(TARGET));
      for (NamedTable named : session.tables()) {
        out.append(format.format(named.name(), named.table()));
      }
    }
    return escaped(out.toString());
  }

  /** Golden files are UTF-8; bytes that are not stand as {@code \xff}. */
  private static String escaped(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      out.append(
          TextBytes.isByte(text, i)
              ? String.format(Locale.ROOT, "\\x%02x", character & 0xff)
              : character);
    }
    return out.toString();
  }

  private static String refusal(String script) {
    Source source = new Source("<input>", script);
    try {
      AnalyzedScript analyzed =
          new Analyzer(TARGET, CompilerOptions.DEFAULT.safety()).analyze(PlyScript.parse(source));
      new TraceCompiler(TARGET, CompilerOptions.DEFAULT).compile(analyzed);
      return "accepted: " + script + "\n" + DiagnosticRenderer.render(analyzed.warnings(), source);
    } catch (CompilationException e) {
      return DiagnosticRenderer.render(e.diagnostics(), source);
    }
  }
}
