package dev.ply.cli;

import dev.ply.ir.Configuration;
import dev.ply.lang.events.EventSpace;
import dev.ply.layout.OutputFormat;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/**
 * The command line of {@code kprobe-events} and {@code uprobe-events}.
 *
 * @param unsafe whether probes may be where no symbol tells that an instruction starts
 * @param filters {@code EVENT:EXPRESSION} each
 * @param configuration the settings that options make
 * @param operands definitions, or files of definitions
 */
record EventsOptions(
    Action action,
    Optional<String> command,
    OptionalLong process,
    Optional<Path> output,
    OutputFormat format,
    boolean quiet,
    boolean keepGoing,
    boolean debug,
    boolean unsafe,
    List<String> filters,
    Configuration configuration,
    List<String> operands) {

  /** The purposes of a command line. */
  enum Action {
    RUN,
    CHECK,
    SCRIPT,
    EXPORT,
    HELP
  }

  EventsOptions {
    filters = List.copyOf(filters);
    operands = List.copyOf(operands);
  }

  /** Parses a command line, without the command's name. */
  static EventsOptions parse(String command, String... arguments) throws UsageException {
    CommandLine line = OptionParser.parse(known(), "ply " + command + " -h", arguments);
    return new EventsOptions(
        action(line),
        OptionParser.value(line, "c"),
        OptionParser.pid(line, "p"),
        OptionParser.path(line, "o"),
        OptionParser.format(line, "f"),
        line.hasOption('q'),
        line.hasOption('k'),
        line.hasOption('d'),
        line.hasOption("unsafe"),
        line.hasOption("filter") ? List.of(line.getOptionValues("filter")) : List.of(),
        Sizes.settings(line),
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
        "Traces events defined as the kernel's " + space.file() + " takes them:",
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
            valued(
                "c",
                "CMD",
                "run CMD in a shell once all events are attached, and stop when it ends"))
        .addOption("d", "debug", false, "tell on stderr what is being done")
        .addOption("e", "dry-run", false, "check the definitions, but do not trace")
        .addOption(
            Option.builder()
                .longOpt("export")
                .desc("write the lines for the kernel's own file, and do not trace")
                .build())
        .addOption(valued("f", "FORMAT", "write events as " + OutputFormat.words()))
        .addOption(
            Option.builder()
                .longOpt("filter")
                .hasArg()
                .argName("EVENT:EXPR")
                .desc("print hits of EVENT for which EXPR is true, as the event's filter file does")
                .build())
        .addOption("h", "help", false, "show this help")
        .addOption("k", "keep-going", false, "go on when events are lost")
        .addOption(Sizes.MISSING_PROBES)
        .addOption(valued("o", "FILE", "write events to FILE"))
        .addOption(valued("p", "PID", "trace this process only, and stop when it ends"))
        .addOption("q", "quiet", false, "show neither warnings nor the hits of each event")
        .addOption(
            "S",
            "dump",
            false,
            "show the definitions as a script of the ply language, and do not trace")
        .addOption(
            Option.builder()
                .longOpt("unsafe")
                .desc("allow probes at addresses that no symbol covers")
                .build());
  }

  private static Option valued(String letter, String argument, String description) {
    return Option.builder(letter).hasArg().argName(argument).desc(description).build();
  }
}
