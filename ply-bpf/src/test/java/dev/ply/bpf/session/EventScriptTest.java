package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Session;
import dev.ply.bpf.btf.BtfBuilder;
import dev.ply.bpf.btf.BtfBuilder.Member;
import dev.ply.bpf.btf.BtfTypes;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticRenderer;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Source;
import dev.ply.golden.GoldenFile;
import dev.ply.golden.GoldenTest;
import dev.ply.ir.IrPrinter;
import dev.ply.ir.Script;
import dev.ply.lang.PlyScript;
import dev.ply.lang.events.EventDefinition;
import dev.ply.lang.events.EventExport;
import dev.ply.lang.events.EventFilter;
import dev.ply.lang.events.EventSpace;
import dev.ply.lang.events.EventSyntax;
import dev.ply.lang.events.parse.EventParser;
import dev.ply.lang.events.translate.EventTranslator;
import dev.ply.lang.print.ScriptPrinter;
import dev.ply.layout.Layout;
import dev.ply.layout.OutputFormat;
import dev.ply.target.KernelTypes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/** Definitions of events: their scripts, what is said of their errors, what they print. */
class EventScriptTest {
  private static final SimulatedTarget TARGET =
      SimulatedTarget.create()
          .withTypes(types())
          .withFunction("vfs_read", 0xffff_ffff_8100_0000L)
          .withFunction("ksys_read", 0xffff_ffff_8100_0100L)
          .withFunction("jiffies", 0xffff_ffff_8200_0000L);

  private static KernelTypes types() {
    BtfBuilder btf = new BtfBuilder();
    int s32 = btf.integer("int", 4, true);
    int u32 = btf.integer("unsigned int", 4, false);
    int s64 = btf.integer("long int", 8, true);
    int u64 = btf.integer("long unsigned int", 8, false);
    int text = btf.pointer(btf.integer("char", 1, true));
    int name = btf.struct("qstr", 16, Member.at(0, "hash", u64), Member.at(8, "name", text));
    int dentry = btf.struct("dentry", 24, Member.at(8, "d_name", name));
    int path = btf.struct("path", 16, Member.at(8, "dentry", btf.pointer(dentry)));
    int file =
        btf.struct(
            "file",
            64,
            Member.at(0, "f_flags", u32),
            new Member("f_low", u32, 4 * 8, 3),
            Member.at(8, "f_path", path),
            Member.at(24, "f_pos", s64));
    int unused =
        btf.function(
            "vfs_read", s64, "file", btf.pointer(file), "buf", text, "count", u64, "error", s32);
    unused = btf.function("kfree", 0, "object", btf.pointer(0));
    unused = btf.function("__traceiter_wake", s32, "__data", btf.pointer(0), "success", s32);
    unused = btf.rawTracepoint("wake", s32);
    return BtfTypes.parse(btf.build(ByteOrder.LITTLE_ENDIAN));
  }

  private static final Layout CSV = OutputFormat.CSV.layout(Layout.PLY, Layout.PLY_JSON);

  @TestFactory
  Stream<DynamicNode> events() {
    return GoldenTest.in("probe-events")
        .section("script", file -> ScriptPrinter.print(script(file)))
        .section("json", file -> run(script(file), Layout.PLY_JSON, file))
        .section("csv", file -> run(script(file), CSV, file))
        .section("trace", file -> run(script(file), Layout.PLY, file))
        .section("export", EventScriptTest::export)
        .section("errors", EventScriptTest::errors)
        .tests();
  }

  /** What is shown as a script is that script. */
  @TestFactory
  Stream<DynamicNode> scriptsAreWhatTheyShow() {
    return GoldenTest.in("probe-events")
        .section(
            "script",
            file -> {
              Script script = script(file);
              String shown = ScriptPrinter.print(script);
              assertThat(IrPrinter.print(PlyScript.parse(shown)))
                  .isEqualTo(IrPrinter.print(script));
              return shown;
            })
        .tests();
  }

  private static EventSpace space(GoldenFile file) {
    return file.section("user").isPresent() ? EventSpace.USER : EventSpace.KERNEL;
  }

  private static Source source(GoldenFile file) {
    return new Source("x", file.section("user").orElseGet(() -> file.text("kernel")));
  }

  private static List<EventFilter> filters(GoldenFile file) {
    return file.section("filters")
        .orElse("")
        .lines()
        .map(line -> EventFilter.of(new Source("filter", line)))
        .toList();
  }

  private static EventParser.Result parse(GoldenFile file) {
    return EventParser.parse(source(file), space(file), TARGET.architecture());
  }

  private static Script script(GoldenFile file) {
    EventParser.Result parsed = parse(file);
    EventTranslator.Result translated =
        EventTranslator.translate(
            parsed.definitions(), space(file), TARGET, EventSyntax.NEWEST, filters(file));
    List<Diagnostic> all = new ArrayList<>(parsed.diagnostics());
    all.addAll(translated.diagnostics());
    if (Diagnostics.hasErrors(all)) {
      throw new CompilationException(all);
    }
    return translated.script();
  }

  private static String export(GoldenFile file) {
    List<EventDefinition> definitions = parse(file).definitions();
    return definitions.stream()
        .map(definition -> EventExport.line(definition, TARGET.binaries()) + "\n")
        .collect(Collectors.joining());
  }

  private static String errors(GoldenFile file) {
    EventParser.Result parsed = parse(file);
    List<Diagnostic> all = new ArrayList<>(parsed.diagnostics());
    all.addAll(
        EventTranslator.translate(
                parsed.definitions(), space(file), TARGET, EventSyntax.NEWEST, filters(file))
            .diagnostics());
    return Diagnostics.onePerPlace(all).stream()
        .map(
            one ->
                DiagnosticRenderer.render(
                    one,
                    one.span().source().equals("filter")
                        ? filters(file).get(0).source()
                        : source(file)))
        .collect(Collectors.joining("\n"));
  }

  private static String run(Script script, Layout layout, GoldenFile file) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (SimulatedTracer tracer = SimulatedTracer.create(TARGET);
        Session session = tracer.prepare(script).writeTo(out, layout).start()) {
      Firings.fire(tracer, file.text("hits"));
      session.stop();
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}
