package dev.ply.cli.events;

import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.cli.follow.Followers;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.option.Durations;
import dev.ply.cli.option.OptionParser;
import dev.ply.cli.option.Sizes;
import dev.ply.cli.run.FrontEnd;
import dev.ply.cli.run.TraceRequest;
import dev.ply.kernel.process.ChildCommand;
import java.util.List;
import java.util.Set;
import org.apache.commons.cli.CommandLine;

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
    List<String> filters,
    TraceRequest request,
    List<String> operands) {

  /** The purposes of a command line. */
  enum Action {
    RUN,
    CHECK,
    SCRIPT,
    EXPORT,
    VERSION,
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
    CommandLine line = OptionParser.parse(frontEnd.manual(), arguments);
    return new EventsOptions(
        action(line),
        OptionParser.remarks(line, "d", "q"),
        OptionParser.values(line, "filter"),
        OptionParser.restricted(
            new TraceRequest(frontEnd)
                .running(OptionParser.value(line, "c").map(ChildCommand::shell))
                .onlyProcess(OptionParser.pid(line, "p"))
                .writingTo(OptionParser.outputs(line))
                .lasting(Durations.of(line))
                .followedBy(Followers.of(line))
                .becoming(OptionParser.privileges(line))
                .onLoss(OptionParser.onLoss(line, "k"))
                .notices(OptionParser.notices(line, "q"))
                .settings(Sizes.settings(line))
                .sizes(
                    line.hasOption("unsafe")
                        ? CompilerOptions.DEFAULT.unsafe()
                        : CompilerOptions.DEFAULT),
            line),
        line.getArgList());
  }

  private static Action action(CommandLine line) {
    if (line.hasOption('h')) {
      return Action.HELP;
    } else if (line.hasOption('V')) {
      return Action.VERSION;
    } else if (line.hasOption("export")) {
      return Action.EXPORT;
    } else if (line.hasOption('S')) {
      return Action.SCRIPT;
    }
    return line.hasOption('e') ? Action.CHECK : Action.RUN;
  }
}
