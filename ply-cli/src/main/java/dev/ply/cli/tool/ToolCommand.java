package dev.ply.cli.tool;

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
import dev.ply.cli.run.Program;
import dev.ply.diagnostic.Suggestions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;

/** {@code ply tool}: lists tools, runs one, and makes commands of them. */
public final class ToolCommand implements Command {
  private static final String INSTALL = "install";

  private final Tools tools;
  private final List<Command> commands;

  /**
   * Creates the command with ply's tools and those of this user.
   *
   * @param commands tools that are no scripts
   */
  public ToolCommand(Command... commands) {
    this(Tools.ofUser(), List.of(commands));
  }

  ToolCommand(Tools tools, List<Command> commands) {
    this.tools = tools;
    this.commands = List.copyOf(commands);
  }

  @Override
  public String name() {
    return "tool";
  }

  /** Made when it is asked for: most starts are those of other commands. */
  @Override
  public CommandManual manual() {
    return CommandManual.of(
            "ply tool",
            "run a tool, such as opensnoop or biolatency",
            Argument.of("name", Argument.Kind.TEXT),
            "Without a name, lists the tools. Each has its own options: ply tool NAME -h.",
            "[name [options]]",
            "--install directory")
        .with(
            "Options",
            CommandOption.valued(
                "",
                INSTALL,
                Argument.of("DIR", Argument.Kind.DIRECTORY),
                "make a command of each tool in DIR"),
            Shared.HELP)
        .with(
            new Section.Lines(
                "Examples",
                """
                ply tool opensnoop -n bash        files that bash opens
                ply tool execsnoop -d 10          programs started within 10 seconds
                ply tool --install /usr/local/bin opensnoop and all others are commands
                """))
        .seeAlso("ply(1)", "ply-language(7)");
  }

  /**
   * Returns the declarations of ply's own tools.
   *
   * @param commands tools that are no scripts
   */
  public static List<CommandManual> manuals(Command... commands) throws UsageException {
    Tools own = new Tools(List.of());
    List<CommandManual> manuals = new ArrayList<>();
    for (String name : Tools.ownNames()) {
      manuals.add(own.find(name).orElseThrow().manual());
    }
    for (Command command : commands) {
      manuals.add(command.manual().called("ply tool " + command.name()));
    }
    return manuals;
  }

  @Override
  public int run(Streams streams, String... arguments) throws UsageException {
    if (arguments.length > 0 && !arguments[0].startsWith("-")) {
      return tool(arguments[0]).run(streams, Arrays.copyOfRange(arguments, 1, arguments.length));
    }
    CommandLine line = OptionParser.parse(manual(), arguments);
    if (line.hasOption(Shared.HELP.letter())) {
      return streams.output().printed(help());
    }
    Optional<Path> directory = OptionParser.path(line, INSTALL);
    if (directory.isPresent()) {
      return install(directory.get(), streams);
    }
    for (String name : names()) {
      streams.output().print(String.format(Locale.ROOT, "%-14s %s%n", name, summary(name)));
    }
    return ExitCode.OK;
  }

  /** Returns the names of all tools, sorted. */
  private List<String> names() {
    Stream<String> others = commands.stream().map(Command::name);
    return Stream.concat(tools.names().stream(), others).distinct().sorted().toList();
  }

  private Optional<Command> command(String name) {
    return commands.stream().filter(command -> command.name().equals(name)).findFirst();
  }

  private String summary(String name) {
    try {
      return tools
          .find(name)
          .map(tool -> tool.header().summary())
          .or(() -> command(name).map(command -> command.manual().summary()))
          .orElseThrow();
    } catch (UsageException e) {
      return "(" + e.getMessage() + ")";
    }
  }

  /**
   * Returns the program of a tool that is a script, without running it.
   *
   * @param words the name of the tool, then its options
   * @throws UsageException if there is none
   */
  public static Program program(String... words) throws UsageException {
    Tools tools = Tools.ofUser();
    Optional<Tool> found = tools.find(words[0]);
    if (found.isEmpty()) {
      throw unknown(words[0], tools.names());
    }
    return new ToolRun(found.get()).program(Arrays.copyOfRange(words, 1, words.length));
  }

  private static UsageException unknown(String name, List<String> names) {
    String hint = Suggestions.hint(name, names.stream(), "ply tool lists them")[0];
    return new UsageException("unknown tool \"" + name + "\": " + hint);
  }

  private Command tool(String name) throws UsageException {
    Optional<Tool> found = tools.find(name);
    Optional<Command> command = command(name);
    if (found.isEmpty() && command.isPresent()) {
      return command.get();
    }
    if (found.isEmpty()) {
      throw unknown(name, names());
    }
    return new ToolRun(found.get());
  }

  /** Makes a command of each tool, and leaves those alone that are something else. */
  private int install(Path directory, Streams streams) throws UsageException {
    int made = 0;
    for (String name : names()) {
      Path file = directory.resolve(name);
      String command = "#!/bin/sh\nexec ply tool " + name + " \"$@\"\n";
      try {
        if (Files.exists(file) && !Files.readString(file).equals(command)) {
          streams.console().warning(file + " is another program, and stays as it is");
          continue;
        }
        Files.writeString(file, command);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        made++;
      } catch (IOException e) {
        throw new UsageException(directory + " cannot be written");
      }
    }
    streams.console().message(made + " commands in " + directory);
    return ExitCode.OK;
  }
}
