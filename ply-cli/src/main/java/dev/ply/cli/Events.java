package dev.ply.cli;

import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Source;
import dev.ply.ir.Script;
import dev.ply.kernel.process.ChildCommand;
import dev.ply.lang.events.EventDefinition;
import dev.ply.lang.events.EventExport;
import dev.ply.lang.events.EventFilter;
import dev.ply.lang.events.EventSpace;
import dev.ply.lang.events.EventSyntax;
import dev.ply.lang.events.parse.EventParser;
import dev.ply.lang.events.translate.EventTranslator;
import dev.ply.lang.print.ScriptPrinter;
import dev.ply.layout.Layout;
import dev.ply.type.Escapes;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * {@code ply kprobe-events} and {@code ply uprobe-events}: traces events defined as the kernel's
 * own files take them, and prints lines as the kernel's trace does.
 */
final class Events {
  /** The name of the command for events of the kernel. */
  static final String KPROBE_EVENTS = "kprobe-events";

  /** The name of the command for events of programs and libraries. */
  static final String UPROBE_EVENTS = "uprobe-events";

  private static final String FILTER = "<filter>";

  private final String name;
  private final EventSpace space;
  private final InputStream input;
  private final Output output;
  private final PrintStream errors;

  private Events(
      String name, EventSpace space, InputStream input, Output output, PrintStream errors) {
    this.name = name;
    this.space = space;
    this.input = input;
    this.output = output;
    this.errors = errors;
  }

  /** Returns the command of a name, if there is one. */
  static Optional<Events> named(String name, InputStream input, Output output, PrintStream errors) {
    return switch (name) {
      case KPROBE_EVENTS -> Optional.of(new Events(name, EventSpace.KERNEL, input, output, errors));
      case UPROBE_EVENTS -> Optional.of(new Events(name, EventSpace.USER, input, output, errors));
      default -> Optional.empty();
    };
  }

  /** Runs the command with its arguments, and returns its exit status. */
  int run(String... arguments) throws UsageException {
    EventsOptions options = EventsOptions.parse(name, arguments);
    Console console = new Console(output, errors, options.debug(), !options.quiet());
    if (options.action() == EventsOptions.Action.HELP) {
      output.print(EventsOptions.usage(name, space));
      return ExitCode.OK;
    }
    if (options.output().isPresent()) {
      output.redirect(options.output().get());
    }
    Source source = source(options.operands());
    List<EventFilter> filters = new ArrayList<>();
    for (String filter : options.filters()) {
      EventFilter parsed = EventFilter.of(new Source(FILTER, filter));
      if (parsed.event().isEmpty()) {
        throw new UsageException(
            "--filter takes EVENT:EXPRESSION, not \"" + filter + "\": myprobe:dfd > 3");
      }
      filters.add(parsed);
    }
    TraceRequest request = request(options);
    return new Failures(console)
        .guard(source, () -> run(options, console, request, source, filters));
  }

  private int run(
      EventsOptions options,
      Console console,
      TraceRequest request,
      Source source,
      List<EventFilter> filters)
      throws InterruptedException {
    ProgramReader reader =
        (compilation, definitions, environment) ->
            script(console, compilation, definitions, filters);
    Compilation compilation = new Compilation(console, request.kernel(), request.sizes());
    switch (options.action()) {
      case SCRIPT -> {
        Script script = script(console, compilation, source, filters);
        output.print(Escapes.escapeLines(ScriptPrinter.print(request.configured(script))));
        return ExitCode.OK;
      }
      case EXPORT -> {
        return export(console, compilation, source, filters);
      }
      case CHECK -> {
        return new DryRun(console, request, reader).run(source);
      }
      default -> {
        return new LiveRun(console, request, reader).run(source);
      }
    }
  }

  /** Reads definitions as a script. */
  private Script script(
      Console console, Compilation compilation, Source source, List<EventFilter> filters) {
    EventParser.Result parsed =
        EventParser.parse(source, space, compilation.kernel().architecture());
    EventSyntax syntax =
        new EventSyntax(compilation.kernel().eventSyntax(), compilation.kernel().version());
    EventTranslator.Result translated =
        EventTranslator.translate(
            parsed.definitions(), space, compilation.kernel(), syntax, filters);
    List<Diagnostic> all = new ArrayList<>(parsed.diagnostics());
    all.addAll(syntax.beyond(parsed.definitions()));
    for (Diagnostic diagnostic : translated.diagnostics()) {
      if (diagnostic.span().source().equals(FILTER)) {
        console.diagnostics(List.of(diagnostic), source(diagnostic, filters));
      } else {
        all.add(diagnostic);
      }
    }
    if (Diagnostics.hasErrors(all) || Diagnostics.hasErrors(translated.diagnostics())) {
      throw new CompilationException(Diagnostics.onePerPlace(all));
    }
    console.diagnostics(all, source);
    if (translated.script().clauses().isEmpty()) {
      console.error("there are no definitions");
      throw new CompilationException(List.of());
    }
    return translated.script();
  }

  private static Source source(Diagnostic diagnostic, List<EventFilter> filters) {
    // All filters have one name: the first that has the position is shown.
    return filters.stream()
        .map(EventFilter::source)
        .filter(one -> one.text().length() + 1 >= diagnostic.span().column())
        .findFirst()
        .orElse(Source.NONE);
  }

  private int export(
      Console console, Compilation compilation, Source source, List<EventFilter> filters) {
    script(console, compilation, source, filters);
    List<EventDefinition> definitions =
        EventParser.parse(source, space, compilation.kernel().architecture()).definitions();
    StringBuilder lines = new StringBuilder();
    for (EventDefinition definition : definitions) {
      lines.append(EventExport.line(definition, compilation.kernel().binaries())).append('\n');
    }
    output.print(Escapes.escapeLines(lines.toString()));
    return ExitCode.OK;
  }

  /** Operands with white space are definitions, others files. */
  private Source source(List<String> operands) throws UsageException {
    if (operands.isEmpty()) {
      throw new UsageException(
          "no definition: ply "
              + name
              + (space == EventSpace.USER ? " 'p /bin/bash:readline'" : " 'p vfs_read'")
              + ", and ply "
              + name
              + " -h for the options");
    }
    if (operands.size() == 1 && !isDefinition(operands.get(0))) {
      return ProgramText.readFile(operands.get(0), input);
    }
    StringBuilder lines = new StringBuilder();
    for (String operand : operands) {
      lines
          .append(isDefinition(operand) ? operand : ProgramText.readFile(operand, input).text())
          .append('\n');
    }
    return new Source("<input>", lines.toString());
  }

  private static boolean isDefinition(String operand) {
    return operand.chars().anyMatch(Character::isWhitespace)
        || (operand.matches("[prft]\\d*(:.*)?") && !Files.exists(Path.of(operand)));
  }

  private TraceRequest request(EventsOptions options) {
    return new TraceRequest(
        FrontEnd.EVENTS,
        Purpose.TRACE,
        options.command().map(ChildCommand::shell),
        options.process(),
        options.keepGoing(),
        Set.of(),
        options.quiet(),
        options.format().layout(Layout.PLY, Layout.PLY_JSON),
        options.configuration(),
        options.unsafe() ? CompilerOptions.DEFAULT.unsafe() : CompilerOptions.DEFAULT,
        OptionalLong.empty(),
        Optional.empty(),
        List.of());
  }
}
