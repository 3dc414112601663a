package dev.ply.cli.events;

import dev.ply.cli.io.Console;
import dev.ply.cli.run.Compilation;
import dev.ply.cli.run.ProgramReader;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Source;
import dev.ply.ir.Script;
import dev.ply.kernel.RunningKernel;
import dev.ply.lang.argument.ScriptArguments;
import dev.ply.lang.events.EventDefinition;
import dev.ply.lang.events.EventExport;
import dev.ply.lang.events.EventSpace;
import dev.ply.lang.events.EventSyntax;
import dev.ply.lang.events.parse.EventParser;
import dev.ply.lang.events.translate.EventTranslator;
import java.util.ArrayList;
import java.util.List;

/** Reads definitions of events as a script. */
final class EventReader implements ProgramReader {
  private final EventSpace space;
  private final EventFilters filters;
  private final Console console;

  EventReader(EventSpace space, EventFilters filters, Console console) {
    this.space = space;
    this.filters = filters;
    this.console = console;
  }

  @Override
  public Script read(Compilation compilation, Source source, ScriptArguments arguments) {
    return read(compilation.kernel(), source);
  }

  /**
   * Reads definitions for a kernel and prints their warnings.
   *
   * @throws CompilationException with all errors of the definitions
   */
  Script read(RunningKernel kernel, Source source) {
    EventParser.Result parsed = EventParser.parse(source, space, kernel.architecture());
    EventSyntax syntax = new EventSyntax(kernel.eventSyntax(), kernel.version());
    EventTranslator.Result translated =
        EventTranslator.translate(parsed.definitions(), space, kernel, syntax, filters.all());
    List<Diagnostic> all = new ArrayList<>(parsed.diagnostics());
    all.addAll(syntax.beyond(parsed.definitions()));
    for (Diagnostic diagnostic : translated.diagnostics()) {
      if (EventFilters.have(diagnostic)) {
        console.diagnostics(List.of(diagnostic), filters.source(diagnostic));
      } else {
        all.add(diagnostic);
      }
    }
    if (Diagnostics.hasErrors(all) || Diagnostics.hasErrors(translated.diagnostics())) {
      throw new CompilationException(Diagnostics.onePerPlace(all));
    }
    console.diagnostics(all, source);
    if (translated.script().clauses().isEmpty()) {
      console.error("no definitions found");
      throw new CompilationException(List.of());
    }
    return translated.script();
  }

  /**
   * Returns the lines for the kernel's own file, after the definitions' warnings.
   *
   * @throws CompilationException with all errors of the definitions
   */
  String export(RunningKernel kernel, Source source) {
    Script unused = read(kernel, source);
    StringBuilder lines = new StringBuilder();
    for (EventDefinition definition :
        EventParser.parse(source, space, kernel.architecture()).definitions()) {
      lines.append(EventExport.line(definition, kernel.binaries())).append('\n');
    }
    return lines.toString();
  }
}
