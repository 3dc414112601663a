package dev.ply.cli;

import dev.ply.analysis.AnalyzedScript;
import dev.ply.bpf.object.BpfObject;
import dev.ply.diagnostic.Source;
import dev.ply.ir.Script;

/**
 * Compiles and verifies a program for the running kernel, and checks that its probe sites exist;
 * requires no privileges.
 */
final class DryRun {
  private final Console console;
  private final TraceRequest request;
  private final ProgramReader reader;

  DryRun(Console console, TraceRequest request) {
    this(console, request, ProgramReader.SCRIPT);
  }

  DryRun(Console console, TraceRequest request, ProgramReader reader) {
    this.console = console;
    this.request = request;
    this.reader = reader;
  }

  /** Checks a program, prints its code if requested, and returns the exit status. */
  int run(Source source) {
    Compilation compilation = new Compilation(console, request.kernel(), request.sizes());
    Script script =
        request.configured(
            reader.read(
                compilation, source, request.variables(CallerEnvironment.read().variables())));
    AnalyzedScript analyzed = compilation.analyzeWithFunctions(script);
    BpfObject object = compilation.compile(analyzed);
    console.diagnostics(analyzed.warnings(), source);
    if (!request.dump().isEmpty()) {
      compilation.dump(source, script, object, request.dump());
    }
    return ExitCode.OK;
  }
}
