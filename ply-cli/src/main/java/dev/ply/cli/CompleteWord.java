package dev.ply.cli;

import dev.ply.cli.completion.LiveNames;
import dev.ply.cli.io.Command;
import dev.ply.cli.io.ExitCode;
import dev.ply.cli.io.Streams;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.manual.Argument;
import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.manual.Section;
import dev.ply.cli.option.OptionParser;
import dev.ply.cli.option.Shared;
import dev.ply.kernel.RunningKernel;
import java.util.List;
import org.apache.commons.cli.CommandLine;

/**
 * {@code ply complete}: what the shells' completion asks for each time, so it is quiet about all
 * that goes wrong.
 */
final class CompleteWord implements Command {
  @Override
  public String name() {
    return "complete";
  }

  /** Made when it is asked for: most starts are those of other commands. */
  @Override
  public CommandManual manual() {
    return CommandManual.of(
            "ply complete",
            "print the names that continue a script, for completion",
            Argument.of("script", Argument.Kind.SCRIPT),
            "Prints an unfinished script, once for each name that can continue it: a probe of"
                + " this machine, a field of its arguments, a name of the language. Nothing is"
                + " loaded into the kernel.",
            "[options] [--] <text>")
        .with("Options", Shared.HELP)
        .with(
            new Section.Lines(
                "Examples",
                """
                ply complete 'tracepoint:sched:sched_sw'
                ply complete 'tracepoint:sched:sched_switch { @[args.next'
                """))
        .seeAlso("ply(1)", "ply-completion(1)");
  }

  @Override
  public int run(Streams streams, String... arguments) throws UsageException {
    CommandLine line = OptionParser.parse(manual(), arguments);
    if (line.hasOption("h")) {
      return streams.output().printed(help());
    }
    for (String text : line.getArgList()) {
      for (String candidate : candidates(text)) {
        streams.output().print(candidate + "\n");
      }
    }
    return ExitCode.OK;
  }

  private static List<String> candidates(String text) {
    try {
      return new LiveNames(new RunningKernel(), LiveNames.programDirectories()).continuing(text);
    } catch (RuntimeException e) {
      // What this machine cannot tell is no name; a message would be in the middle of a line.
      return List.of();
    }
  }
}
