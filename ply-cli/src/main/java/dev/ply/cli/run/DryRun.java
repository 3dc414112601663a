package dev.ply.cli.run;

import dev.ply.analysis.AnalyzedScript;
import dev.ply.bpf.object.BpfObject;
import dev.ply.cli.input.CallerEnvironment;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.ExitCode;
import dev.ply.cli.io.UsageException;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Source;
import dev.ply.ir.Script;
import dev.ply.kernel.UnattachableProbes;
import dev.ply.lang.argument.ScriptArguments;
import dev.ply.table.TableSchema;
import java.util.List;

/**
 * Compiles and verifies a program for the running kernel, and checks that its probe sites exist and
 * that this machine can attach to them; requires no privileges.
 */
public final class DryRun {
  private final Console console;
  private final TraceRequest request;

  /** Creates a check of a request's programs. */
  public DryRun(Console console, TraceRequest request) {
    this.console = console;
    this.request = request;
  }

  /**
   * Checks a program, prints its code if requested, and returns the exit status.
   *
   * @throws UsageException if a format shows nothing of the program
   */
  public int run(Source source) throws UsageException {
    List<TableSchema> unused = check(source);
    return ExitCode.OK;
  }

  /**
   * Checks a program, prints its code if requested, and returns its maps.
   *
   * @throws UsageException if a format shows nothing of the program
   */
  public List<TableSchema> check(Source source) throws UsageException {
    Compilation compilation = new Compilation(console, request.kernel(), request.sizes());
    ScriptArguments arguments = request.arguments(CallerEnvironment.read().variables());
    Script script =
        request.configured(request.reader().read(compilation, source, arguments), arguments);
    AnalyzedScript analyzed = compilation.analyzeWithFunctions(script);
    BpfObject object = compilation.compile(analyzed);
    List<Diagnostic> unattachable = UnattachableProbes.find(object, request.kernel());
    if (Diagnostics.hasErrors(unattachable)) {
      throw new CompilationException(unattachable);
    }
    console.diagnostics(analyzed.warnings(), source);
    console.diagnostics(unattachable, source);
    FormatCheck.apply(console, request, object.schemas(), object.shapes());
    if (!request.dump().isEmpty()) {
      compilation.dump(source, script, object, request.dump());
    }
    return object.schemas();
  }
}
