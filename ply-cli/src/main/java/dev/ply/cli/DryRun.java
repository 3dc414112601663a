package dev.ply.cli;

import dev.ply.analysis.AnalyzedScript;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.object.BpfObject;
import dev.ply.diagnostic.Source;
import dev.ply.ir.Script;
import java.util.Map;

/** Compiles and verifies a program for the running kernel; needs no privileges to trace. */
final class DryRun {
  private final Console console;
  private final CompilerOptions sizes;

  DryRun(Console console, CompilerOptions sizes) {
    this.console = console;
    this.sizes = sizes;
  }

  /** Checks a program, shows what it is compiled to if wanted, and returns the exit status. */
  int run(Source source, Map<String, String> environment, boolean dump) {
    Compilation compilation = new Compilation(console, sizes);
    Script script = compilation.parse(source, environment);
    AnalyzedScript analyzed = compilation.analyze(script);
    BpfObject object = compilation.compile(analyzed);
    console.diagnostics(analyzed.warnings(), source);
    if (dump) {
      compilation.dump(source, script, object);
    }
    return ExitCode.OK;
  }
}
