package dev.ply.cli;

import dev.ply.cli.info.Doctor;
import dev.ply.cli.io.Command;
import dev.ply.cli.io.Streams;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.manual.Argument;
import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.manual.Section;
import dev.ply.cli.option.OptionParser;
import dev.ply.cli.option.Shared;
import org.apache.commons.cli.CommandLine;

/** {@code ply doctor}: what tracing has to expect on this machine. */
final class CheckMachine implements Command {
  @Override
  public String name() {
    return "doctor";
  }

  /** Made when it is asked for: most starts are those of other commands. */
  @Override
  public CommandManual manual() {
    return CommandManual.of(
            "ply doctor",
            "say what this machine can trace, and what each missing feature costs",
            Argument.of("nothing", Argument.Kind.TEXT),
            "Says what tracing has to expect on this machine: versions, privileges, settings and"
                + " features of the kernel, and what scripts lack without each missing one. A"
                + " report of a bug should have it; it names no machine, user or program.",
            "[options]")
        .with("Options", Shared.HELP)
        .with(
            Section.Terms.of(
                "Exit status",
                new Section.Term("0", "This process can trace."),
                new Section.Term("1", "It cannot: privileges or the kernel are missing.")))
        .seeAlso("ply(1)");
  }

  @Override
  public int run(Streams streams, String... arguments) throws UsageException {
    CommandLine line = OptionParser.parse(manual(), arguments);
    if (line.hasOption("h")) {
      return streams.output().printed(help());
    }
    if (!line.getArgList().isEmpty()) {
      throw new UsageException(
          "unexpected operand \"" + line.getArgList().get(0) + "\": ply doctor takes none");
    }
    return new Doctor(streams.console()).run();
  }
}
