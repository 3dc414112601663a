package dev.ply.cli;

import dev.ply.cli.bcc.Argdist;
import dev.ply.cli.bcc.Trace;
import dev.ply.cli.bpftrace.Bpftrace;
import dev.ply.cli.events.Events;
import dev.ply.cli.io.Command;
import dev.ply.cli.serve.Serve;
import dev.ply.cli.tool.ToolCommand;
import java.util.List;
import java.util.Optional;

/** The command lines other than ply's own. Only the one that was asked for is created. */
final class Commands {
  /** Their names, in the order of the help. */
  static final List<String> NAMES =
      List.of(
          "bt",
          "argdist",
          "trace",
          "kprobe-events",
          "uprobe-events",
          "tool",
          "serve",
          "doctor",
          "lsp",
          "manual",
          "completion",
          "complete");

  private Commands() {}

  /** Returns the command of a name; empty if there is none. */
  static Optional<Command> named(String name) {
    return switch (name) {
      case "bt" -> Optional.of(new Bpftrace());
      case "argdist" -> Optional.of(new Argdist());
      case "trace" -> Optional.of(new Trace());
      case "kprobe-events" -> Optional.of(Events.OF_KERNEL);
      case "uprobe-events" -> Optional.of(Events.OF_PROGRAMS);
      case "tool" -> Optional.of(new ToolCommand(tools()));
      case "serve" ->
          Optional.of(
              new Serve(
                  words -> new Scripts().program(words),
                  words -> new Bpftrace().program(words),
                  ToolCommand::program));
      case "doctor" -> Optional.of(new CheckMachine());
      case "lsp" -> Optional.of(new EditScripts());
      case "manual" -> Optional.of(new PrintManual());
      case "completion" -> Optional.of(new PrintCompletion());
      case "complete" -> Optional.of(new CompleteWord());
      default -> Optional.empty();
    };
  }

  /** Returns the commands that are tools, too. */
  static Command[] tools() {
    return new Command[] {new Argdist(), new Trace()};
  }

  /** Returns all commands, in the order of the help. */
  static List<Command> all() {
    return NAMES.stream().map(Commands::named).flatMap(Optional::stream).toList();
  }
}
