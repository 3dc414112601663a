package dev.ply.cli.events;

import dev.ply.Session;
import dev.ply.cli.info.Version;
import dev.ply.cli.input.ProgramText;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.Failures;
import dev.ply.cli.io.Output;
import dev.ply.cli.io.Streams;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.run.DryRun;
import dev.ply.cli.run.FrontEnd;
import dev.ply.cli.run.LiveRun;
import dev.ply.cli.run.Remedies;
import dev.ply.cli.run.TraceRequest;
import dev.ply.diagnostic.Source;
import dev.ply.ir.Script;
import dev.ply.lang.argument.ScriptArguments;
import dev.ply.lang.events.EventSpace;
import dev.ply.lang.print.ScriptPrinter;
import dev.ply.table.NamedTable;
import dev.ply.type.Escapes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * {@code ply kprobe-events} and {@code ply uprobe-events}: traces events defined in the syntax of
 * the kernel's own files, and prints them in the format of the kernel's trace.
 */
public final class Events implements FrontEnd {
  /** Events of the kernel. */
  public static final Events OF_KERNEL = new Events("kprobe-events", EventSpace.KERNEL);

  /** Events of programs and libraries. */
  public static final Events OF_PROGRAMS = new Events("uprobe-events", EventSpace.USER);

  private static final Remedies REMEDIES =
      new Remedies(
          "trace fewer events at a time",
          "-k continues without them",
          Remedies.FEWER_STACKS,
          "-e checks definitions without it, -S shows them as a script");

  private final String name;
  private final EventSpace space;

  private Events(String name, EventSpace space) {
    this.name = name;
    this.space = space;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public CommandManual manual() {
    return EventsManual.of(name, space);
  }

  @Override
  public Remedies remedies() {
    return REMEDIES;
  }

  @Override
  public void stopped(Console console, Session session, Script script, List<NamedTable> tables) {
    new EventProfile(console).report(session, script, tables);
  }

  @Override
  public int run(Streams streams, String... arguments) throws UsageException {
    EventsOptions options = EventsOptions.parse(this, arguments);
    Output output = streams.output();
    if (options.action() == EventsOptions.Action.HELP) {
      return output.printed(help());
    }
    if (options.action() == EventsOptions.Action.VERSION) {
      return output.printed(Version.text() + "\n");
    }
    options.request().outputs().open(streams);
    Console console = streams.console(options.remarks());
    Source source = source(options.operands(), streams);
    EventReader reader = new EventReader(space, EventFilters.parse(options.filters()), console);
    return new Failures(console).guard(source, () -> run(options, reader, source, console));
  }

  private static int run(EventsOptions options, EventReader reader, Source source, Console console)
      throws InterruptedException, UsageException {
    TraceRequest request = options.request().readBy(reader);
    return switch (options.action()) {
      case SCRIPT ->
          console
              .output()
              .printed(
                  Escapes.escapeLines(
                      ScriptPrinter.print(
                          request.configured(
                              reader.read(request.kernel(), source), ScriptArguments.NONE))));
      case EXPORT ->
          console.output().printed(Escapes.escapeLines(reader.export(request.kernel(), source)));
      case CHECK -> new DryRun(console, request).run(source);
      case RUN, VERSION, HELP -> new LiveRun(console, request).run(source);
    };
  }

  /** Operands with white space are definitions, others files. */
  private Source source(List<String> operands, Streams streams) throws UsageException {
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
      return ProgramText.readFile(operands.get(0), streams.input());
    }
    StringBuilder lines = new StringBuilder();
    for (String operand : operands) {
      lines
          .append(
              isDefinition(operand)
                  ? operand
                  : ProgramText.readFile(operand, streams.input()).text())
          .append('\n');
    }
    return new Source("<input>", lines.toString());
  }

  private static boolean isDefinition(String operand) {
    return operand.chars().anyMatch(Character::isWhitespace)
        || (operand.matches("[prft]\\d*(:.*)?") && !Files.exists(Path.of(operand)));
  }
}
