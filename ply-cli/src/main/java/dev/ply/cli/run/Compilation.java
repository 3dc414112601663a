package dev.ply.cli.run;

import dev.ply.analysis.AnalyzedScript;
import dev.ply.analysis.Analyzer;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.ProbeProgram;
import dev.ply.bpf.optimize.Pass;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.cli.io.Console;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Source;
import dev.ply.ir.Script;
import dev.ply.kernel.MissingFunctions;
import dev.ply.kernel.RunningKernel;
import dev.ply.lang.ParseResult;
import dev.ply.lang.ScriptParser;
import dev.ply.lang.argument.ScriptArguments;
import dev.ply.type.Escapes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Compiles for the running kernel without loading: for dry runs and dumps. */
public final class Compilation {
  private final Console console;
  private final CompilerOptions sizes;
  private final RunningKernel kernel;

  /** Creates a compilation for a kernel that reports to a console. */
  public Compilation(Console console, RunningKernel kernel, CompilerOptions sizes) {
    this.console = console;
    this.kernel = kernel;
    this.sizes = sizes;
  }

  /**
   * Parses a program and prints its warnings.
   *
   * @param arguments what the program receives
   * @throws CompilationException with all errors of the program, including those of analysis
   */
  public Script parse(Source source, ScriptArguments arguments) {
    long begin = System.nanoTime();
    Script script = script(source, ScriptParser.parse(source, arguments));
    console.debugTime("parsed", begin);
    return script;
  }

  /**
   * Returns a parsed script and prints its warnings.
   *
   * @throws CompilationException with all errors of the program, including those of analysis
   */
  public Script script(Source source, ParseResult result) {
    if (result.hasErrors()) {
      List<Diagnostic> known = new ArrayList<>(result.diagnostics());
      known.addAll(MissingFunctions.find(result.script(), kernel));
      new Analyzer(kernel, sizes.safety()).analyze(result.script(), known);
    }
    console.diagnostics(result.diagnostics(), source);
    return result.orThrow();
  }

  /** Returns the kernel that programs are compiled for. */
  public RunningKernel kernel() {
    return kernel;
  }

  /** Analyses a script for this kernel. */
  public AnalyzedScript analyze(Script script) {
    return new Analyzer(kernel, sizes.safety()).analyze(script);
  }

  /** Analyses a script as {@link #analyze} does, and checks that the kernel has its functions. */
  AnalyzedScript analyzeWithFunctions(Script script) {
    return new Analyzer(kernel, sizes.safety())
        .analyze(script, MissingFunctions.find(script, kernel));
  }

  /** Compiles and verifies an analysed script. */
  BpfObject compile(AnalyzedScript script) {
    long begin = System.nanoTime();
    BpfObject object = new TraceCompiler(kernel, sizes).compile(script);
    console.debugTime("compiled and verified", begin);
    for (ProbeProgram program : object.programs()) {
      console.debug(program.title() + ": " + program.program().slots() + " slots of bytecode");
    }
    return object;
  }

  /** Prints a script's code, optimised and not. */
  void dump(Source source, Script script, BpfObject object, Set<Dump.Section> sections) {
    // The maps, which both have in common, are printed once.
    Set<Pass> passes = Set.of(Pass.PLACE_KNOWN_KEYS);
    BpfObject plain = new TraceCompiler(kernel, sizes.withPasses(passes)).compile(script);
    Dump dump = new Dump(source, kernel.types(), sections);
    console.output().print(Escapes.escapeLines(dump.text(script, plain, object)));
  }
}
