package dev.ply.cli.events;

import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.option.NewOption;
import dev.ply.cli.option.OptionParser;
import dev.ply.cli.option.Sizes;
import dev.ply.cli.run.FrontEnd;
import dev.ply.cli.run.TraceRequest;
import dev.ply.kernel.process.ChildCommand;
import dev.ply.lang.events.EventSpace;
import dev.ply.layout.Layout;
import dev.ply.layout.OutputFormat;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;

/**
 * The command line of {@code kprobe-events} and {@code uprobe-events}.
 *
 * @param remarks the optional remarks
 * @param filters {@code EVENT:EXPRESSION} each
 * @param request how to trace the events, but for what reads them
 * @param operands definitions, or files of definitions
 */
public record EventsOptions(
    Action action,
    Set<Console.Remark> remarks,
    Optional<Path> output,
    List<String> filters,
    TraceRequest request,
    List<String> operands) {

  /** The purposes of a command line. */
  enum Action {
    RUN,
    CHECK,
    SCRIPT,
    EXPORT,
    HELP
  }

  /** Keeps copies. */
  public EventsOptions {
    remarks = Set.copyOf(remarks);
    filters = List.copyOf(filters);
    operands = List.copyOf(operands);
  }

  /** Parses a command line, without the command's name. */
  public static EventsOptions parse(FrontEnd frontEnd, String... arguments) throws UsageException {
    CommandLine line = OptionParser.parse(known(), "ply " + frontEnd.name() + " -h", arguments);
    return new EventsOptions(
        action(line),
        OptionParser.remarks(line, "d", "q"),
        OptionParser.path(line, "o"),
        OptionParser.values(line, "filter"),
        new TraceRequest(frontEnd)
            .running(OptionParser.value(line, "c").map(ChildCommand::shell))
            .onlyProcess(OptionParser.pid(line, "p"))
            .layout(OptionParser.format(line, "f").layout(Layout.PLY, Layout.PLY_JSON))
            .onLoss(OptionParser.onLoss(line, "k"))
            .notices(OptionParser.notices(line, "q"))
            .settings(Sizes.settings(line))
            .sizes(
                line.hasOption("unsafe")
                    ? CompilerOptions.DEFAULT.unsafe()
                    : CompilerOptions.DEFAULT),
        line.getArgList());
  }

  private static Action action(CommandLine line) {
    if (line.hasOption('h')) {
      return Action.HELP;
    } else if (line.hasOption("export")) {
      return Action.EXPORT;
    } else if (line.hasOption('S')) {
      return Action.SCRIPT;
    }
    return line.hasOption('e') ? Action.CHECK : Action.RUN;
  }

  /** Returns the help text. */
  static String usage(String command, EventSpace space) {
    return OptionParser.usage(
        known(),
        "usage: ply " + command + " [options] <definition|file|->...",
        "Traces events defined in the syntax of the kernel's " + space.file() + ":",
        forms(space).stream().map(form -> "  " + form).collect(Collectors.joining("\n")));
  }

  private static List<String> forms(EventSpace space) {
    return space == EventSpace.USER
        ? List.of(
            "p[:[GROUP/]EVENT] PATH:OFFSET|PATH:SYMBOL [ARGUMENT...]",
            "r[:[GROUP/]EVENT] PATH:OFFSET|PATH:SYMBOL [ARGUMENT...]")
        : List.of(
            "p[:[GROUP/]EVENT] [MODULE:]SYMBOL[+OFFSET]|ADDRESS [ARGUMENT...]",
            "r[MAXACTIVE][:[GROUP/]EVENT] [MODULE:]SYMBOL|ADDRESS [ARGUMENT...]",
            "f[:[GROUP/]EVENT] SYMBOL[%return] [ARGUMENT...]",
            "t[:[GROUP/]EVENT] TRACEPOINT [ARGUMENT...]");
  }

  private static Options known() {
    return new Options()
        .addOption(
            NewOption.valued(
                "c", "CMD", "run CMD in a shell once all events are attached; stop when it exits"))
        .addOption("d", "debug", false, "report each step on stderr")
        .addOption("e", "dry-run", false, "check the definitions, but do not trace")
        .addOption(
            NewOption.longFlag("export", "print the lines for the kernel's file, and do not trace"))
        .addOption(NewOption.valued("f", "FORMAT", "write events as " + OutputFormat.words()))
        .addOption(
            NewOption.longValued(
                "filter",
                "EVENT:EXPR",
                "print hits of EVENT for which EXPR is true, as the event's filter file does"))
        .addOption("h", "help", false, "show this help")
        .addOption("k", "keep-going", false, "continue when events are lost")
        .addOption(Sizes.MISSING_PROBES)
        .addOption(NewOption.valued("o", "FILE", "write events to FILE"))
        .addOption(NewOption.valued("p", "PID", "trace only this process; stop when it exits"))
        .addOption("q", "quiet", false, "show neither warnings nor the hits of each event")
        .addOption(
            "S",
            "dump",
            false,
            "show the definitions as a script of the ply language, and do not trace")
        .addOption(NewOption.longFlag("unsafe", "allow probes at addresses without a symbol"));
  }
}
