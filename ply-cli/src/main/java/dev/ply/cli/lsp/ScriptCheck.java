package dev.ply.cli.lsp;

import dev.ply.analysis.AnalyzedScript;
import dev.ply.analysis.Analyzer;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.bpf.verifier.VerificationException;
import dev.ply.cli.input.ImportedFiles;
import dev.ply.cli.tool.ToolScript;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Severity;
import dev.ply.diagnostic.Source;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.kernel.MissingFunctions;
import dev.ply.lang.ParseResult;
import dev.ply.lang.ScriptParser;
import dev.ply.lang.argument.ScriptArguments;
import dev.ply.target.Target;
import dev.ply.target.UnreadableTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * What a script's check found. Nothing is loaded into the kernel for it.
 *
 * @param source the script with what it imports
 * @param diagnostics in source order
 * @param analyzed what is known of a script without errors
 */
record ScriptCheck(Source source, List<Diagnostic> diagnostics, Optional<AnalyzedScript> analyzed) {
  /** The maximum size in characters; longer scripts would be checked for minutes. */
  static final int LONGEST = 1 << 17;

  /** Keeps a copy of the diagnostics. */
  ScriptCheck {
    diagnostics = List.copyOf(diagnostics);
  }

  /**
   * Checks a script for a machine.
   *
   * @throws CancellationException if nobody waits for it any longer
   */
  static ScriptCheck of(Document document, Dialect dialect, Target machine, Patience patience) {
    Source source = document.source();
    if (source.text().length() > LONGEST) {
      return new ScriptCheck(
          source,
          List.of(
              unchecked(
                  source, Severity.NOTE, "it is larger than 128 KiB; ply -e checks all of it")),
          Optional.empty());
    }
    int nul = source.text().indexOf('\0');
    if (nul >= 0) {
      SourceSpan span = document.lines().span(source.name(), nul);
      return new ScriptCheck(
          source, List.of(error(span, "a script is text, which has no NUL")), Optional.empty());
    }
    String name = document.fileName();
    ToolScript tool =
        ToolScript.of(
            name.endsWith(dialect.ending())
                ? name.substring(0, name.length() - dialect.ending().length())
                : name,
            source.text());
    List<Diagnostic> found = new ArrayList<>();
    tool.problem()
        .ifPresent(
            problem ->
                found.add(
                    error(
                        new SourceSpan(source.name(), problem.line(), 0, problem.line(), 0),
                        problem.message())));
    ScriptArguments arguments = tool.with(dialect.arguments());
    Target target = patience.limited(machine);
    Source whole = source;
    Optional<AnalyzedScript> analyzed = Optional.empty();
    try {
      whole = ImportedFiles.of(source);
      analyzed = analyzed(whole, arguments, dialect, target, patience, found);
    } catch (CompilationException e) {
      found.addAll(e.diagnostics());
    } catch (UnreadableTargetException e) {
      found.add(unchecked(source, Severity.NOTE, String.valueOf(e.getMessage())));
    } catch (Patience.TooLongException e) {
      found.add(unchecked(source, Severity.NOTE, String.valueOf(e.getMessage())));
    } catch (CancellationException e) {
      throw e;
    } catch (StackOverflowError e) {
      found.add(error(first(source), "the script is nested too deeply"));
    } catch (OutOfMemoryError e) {
      found.add(unchecked(source, Severity.WARNING, "out of memory"));
    } catch (RuntimeException e) {
      found.add(
          unchecked(source, Severity.WARNING, e + ": this is a bug in ply, please report it"));
    }
    return new ScriptCheck(whole, found.stream().distinct().toList(), analyzed);
  }

  /** Adds the diagnostics that do not end the check. */
  private static Optional<AnalyzedScript> analyzed(
      Source source,
      ScriptArguments arguments,
      Dialect dialect,
      Target target,
      Patience patience,
      List<Diagnostic> found) {
    ParseResult parsed = ScriptParser.parse(source, arguments);
    List<Diagnostic> missing = MissingFunctions.find(parsed.script(), target);
    Analyzer analyzer = new Analyzer(target, dialect.sizes().safety());
    if (parsed.hasErrors()) {
      List<Diagnostic> known = new ArrayList<>(parsed.diagnostics());
      known.addAll(missing);
      analyzer.analyze(parsed.script(), known);
      found.addAll(known);
      return Optional.empty();
    }
    found.addAll(parsed.diagnostics());
    AnalyzedScript script = analyzer.analyze(parsed.script(), missing);
    found.addAll(script.warnings());
    patience.check();
    try {
      new TraceCompiler(target, dialect.sizes()).compile(script);
    } catch (CompilationException e) {
      found.addAll(e.diagnostics());
    } catch (VerificationException e) {
      // A bug of the compiler, which a run reports.
    }
    return Optional.of(script);
  }

  private static SourceSpan first(Source source) {
    return new SourceSpan(source.name(), 1, 0, 1, 0);
  }

  private static Diagnostic error(SourceSpan span, String message) {
    return new Diagnostic(Severity.ERROR, DiagnosticCode.SYNTAX, span, message, List.of());
  }

  private static Diagnostic unchecked(Source source, Severity severity, String reason) {
    return new Diagnostic(
        severity,
        DiagnosticCode.UNREADABLE,
        first(source),
        "the script is not checked completely: " + reason,
        List.of());
  }
}
