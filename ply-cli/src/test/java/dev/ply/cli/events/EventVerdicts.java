package dev.ply.cli.events;

import dev.ply.analysis.AnalyzedScript;
import dev.ply.analysis.Analyzer;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Severity;
import dev.ply.diagnostic.Source;
import dev.ply.golden.Case;
import dev.ply.ir.Script;
import dev.ply.kernel.MissingFunctions;
import dev.ply.kernel.RunningKernel;
import dev.ply.lang.events.EventSpace;
import dev.ply.lang.events.EventSyntax;
import dev.ply.lang.events.parse.EventParser;
import dev.ply.lang.events.translate.EventTranslator;
import dev.ply.machine.Architecture;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Definitions of events with verdicts of the kernel, from a table of the tests. */
public final class EventVerdicts {
  public static final String OK = "ok";
  static final String REFUSED = "refused";
  public static final String BEYOND = "beyond";

  private EventVerdicts() {}

  /**
   * A definition, and the verdict: {@code ok}, {@code refused}, {@code beyond} or {@code
   * message@column}.
   *
   * @param ours our verdict, the same if the table has no other
   */
  public record Row(String definition, String verdict, String ours) {}

  public static List<Row> of(String table) throws IOException {
    return definitions(table).stream()
        .map(line -> line.split("\t", 3))
        .map(parts -> new Row(parts[0], parts[1], parts[parts.length - 1]))
        .toList();
  }

  /** A wrong definition, and the texts of the kernel's error_log and of ours. */
  record Logged(String definition, String kernel, String ours) {}

  /** Returns the wrong definitions of error-log.cases. */
  static List<Logged> logged() throws IOException {
    return Case.ofResource("/events/error-log.cases").stream()
        .map(wrong -> new Logged(wrong.name(), text(wrong, "kernel"), text(wrong, "ours")))
        .toList();
  }

  private static String text(Case wrong, String section) {
    return wrong.section(section).orElseThrow() + "\n";
  }

  /** Returns the lines of a table without its comments. */
  static List<String> definitions(String table) throws IOException {
    try (InputStream in = EventVerdicts.class.getResourceAsStream("/events/" + table)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .toList();
    }
  }

  /** Returns our verdict for a kernel: {@link #OK}, also with notes, or the first error. */
  static String ours(String definition, EventSpace space, RunningKernel kernel) {
    Source source = new Source("x", definition);
    EventParser.Result parsed = EventParser.parse(source, space, kernel.architecture());
    List<Diagnostic> errors = new ArrayList<>(parsed.diagnostics());
    if (!parsed.hasErrors()) {
      EventTranslator.Result translated =
          EventTranslator.translate(
              parsed.definitions(),
              space,
              kernel,
              new EventSyntax(kernel.eventSyntax(), kernel.version()),
              List.of());
      errors.addAll(translated.diagnostics());
      if (!Diagnostics.hasErrors(errors)) {
        errors.addAll(analysed(translated.script(), kernel));
      }
    }
    return verdict(errors);
  }

  private static List<Diagnostic> analysed(Script script, RunningKernel kernel) {
    try {
      AnalyzedScript unused =
          new Analyzer(kernel).analyze(script, MissingFunctions.find(script, kernel));
      return List.of();
    } catch (CompilationException e) {
      return e.diagnostics();
    }
  }

  /** Returns our verdict on what is written, without a kernel. */
  static String ours(String definition, EventSpace space) {
    return verdict(
        EventParser.parse(new Source("x", definition), space, Architecture.X86_64).diagnostics());
  }

  private static String verdict(List<Diagnostic> diagnostics) {
    Optional<Diagnostic> error =
        diagnostics.stream().filter(one -> one.severity() == Severity.ERROR).findFirst();
    return error.map(one -> one.message() + "@" + one.span().column()).orElse(OK);
  }
}
