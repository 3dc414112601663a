package dev.ply.cli;

import dev.ply.cli.completion.Shell;
import dev.ply.cli.io.Command;
import dev.ply.cli.io.ExitCode;
import dev.ply.cli.io.Streams;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.manual.Argument;
import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.manual.CommandOption;
import dev.ply.cli.manual.Section;
import dev.ply.cli.option.OptionParser;
import dev.ply.cli.option.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;

/** {@code ply completion}: what shells read to complete the command lines of ply. */
final class PrintCompletion implements Command {
  private static List<String> shells() {
    return Stream.of(Shell.values()).map(Shell::word).toList();
  }

  @Override
  public String name() {
    return "completion";
  }

  /** Made when it is asked for: most starts are those of other commands. */
  @Override
  public CommandManual manual() {
    return CommandManual.of(
            "ply completion",
            "print what a shell needs to complete ply's command lines",
            Argument.choice("shell", shells()),
            "Prints what bash, zsh or fish reads to complete ply's command lines: commands,"
                + " options and their values; and within scripts, probes of this machine, fields"
                + " of their arguments and names of the language.",
            "[options] <bash|zsh|fish>")
        .with(
            "Options",
            CommandOption.valued(
                "o",
                "output",
                Argument.of("DIR", Argument.Kind.DIRECTORY),
                "write the files of all shells: bash/ply, zsh/_ply and fish/ply.fish of DIR"),
            Shared.HELP)
        .with(
            new Section.Lines(
                "Examples",
                """
                source <(ply completion bash)
                ply completion zsh > ~/.zfunc/_ply
                ply completion fish > ~/.config/fish/completions/ply.fish
                """))
        .seeAlso("ply(1)", "ply-complete(1)");
  }

  @Override
  public int run(Streams streams, String... arguments) throws UsageException {
    CommandLine line = OptionParser.parse(manual(), arguments);
    if (line.hasOption("h")) {
      return streams.output().printed(help());
    }
    Optional<Path> directory = OptionParser.path(line, "o");
    if (directory.isPresent()) {
      return written(directory.get());
    }
    List<String> names = line.getArgList();
    Optional<Shell> shell = names.size() == 1 ? Shell.named(names.get(0)) : Optional.empty();
    if (shell.isEmpty()) {
      throw new UsageException("ply completion takes one of " + String.join(", ", shells()));
    }
    return streams.output().printed(shell.get().script(Ply.manuals()));
  }

  private static int written(Path directory) throws UsageException {
    try {
      for (Shell shell : Shell.values()) {
        Path own = Files.createDirectories(directory.resolve(shell.word()));
        Files.writeString(own.resolve(shell.file()), shell.script(Ply.manuals()));
      }
      return ExitCode.OK;
    } catch (IOException e) {
      throw new UsageException("-o: " + directory + " cannot be written: " + e.getMessage());
    }
  }
}
