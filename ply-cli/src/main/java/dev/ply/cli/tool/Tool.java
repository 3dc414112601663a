package dev.ply.cli.tool;

import dev.ply.cli.follow.Followers;
import dev.ply.cli.manual.Argument;
import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.manual.CommandOption;
import dev.ply.cli.manual.Section;
import dev.ply.cli.option.Durations;
import dev.ply.cli.option.Filter;
import dev.ply.cli.option.Shared;
import dev.ply.cli.option.Sizes;
import dev.ply.diagnostic.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A script with a header, which is a command.
 *
 * @param name of the command
 * @param source the whole script
 */
record Tool(String name, ToolHeader header, Source source) {
  /** Rows as lines of JSON. */
  static final CommandOption JSON =
      CommandOption.flag("j", "json", "write a line of JSON for each row; as -f json");

  /** The seconds between two outputs: an option, and a variable of scripts. */
  static final String INTERVAL = "interval";

  /** The variable of scripts with the probe at the function that the tool takes. */
  static final String PROBE = "probe";

  /** The variable of scripts with the path of the library in the traced process. */
  static final String LIBRARY = "library";

  /** Shows the script. */
  static final CommandOption SCRIPT =
      CommandOption.flag("", "script", "show the tool's script, and exit");

  /** Checks the script. */
  static final CommandOption DRY_RUN =
      CommandOption.flag("", "dry-run", "check that this kernel has what it needs, and exit");

  /** Runs a command. */
  static final CommandOption COMMAND =
      Shared.command("c", "run CMD in a shell, and trace only that process until it exits");

  /** Leaves out the headings. */
  static final CommandOption QUIET =
      CommandOption.flag("q", "quiet", "show no headings and no warnings");

  /** Adds times to what has none. */
  static final String TIMESTAMP = "timestamp";

  /** Returns the declaration of its command line. */
  CommandManual manual() {
    CommandManual manual =
        CommandManual.of(
            "ply tool " + name,
            header.summary(),
            Argument.of("argument", Argument.Kind.TEXT),
            header.description(),
            "[options]"
                + (header.operand().isPresent() ? " function" : "")
                + (header.interval().isPresent() ? " [interval [count]]" : ""));
    if (!header.options().isEmpty()) {
      manual =
          manual.with(
              "What to show",
              header.options().stream().map(Tool::option).toArray(CommandOption[]::new));
    }
    if (!header.filters().isEmpty()) {
      manual = manual.with("What to trace", whatToTrace());
    }
    List<CommandOption> results = new ArrayList<>();
    if (TimesOfDay.areMissing(header)) {
      boolean isFree = header.options().stream().noneMatch(option -> option.letter().equals("T"));
      results.add(
          CommandOption.flag(isFree ? "T" : "", TIMESTAMP, "show the time of day of each output"));
    }
    header
        .interval()
        .ifPresent(
            usual ->
                results.add(
                    CommandOption.valued(
                        "i",
                        INTERVAL,
                        Argument.of("SECONDS", Argument.Kind.NUMBER),
                        "show results every SECONDS, and begin anew"
                            + (usual == 0 ? "" : " (" + usual + ")"))));
    results.addAll(
        List.of(
            Durations.DURATION,
            JSON,
            Shared.FORMAT,
            Shared.OUTPUT,
            Shared.HTML,
            Shared.SNAPSHOTS,
            QUIET,
            CommandOption.flag("v", "verbose", "report each step on stderr")));
    manual =
        manual
            .with("Results", results.toArray(CommandOption[]::new))
            .with("While tracing", Followers.options())
            .with("Instead of tracing", DRY_RUN, SCRIPT, Shared.HELP)
            .with("Sizes", Sizes.MAP_ENTRIES, Sizes.BUFFER, Sizes.UNWIND_MEMORY);
    if (header.operand().isPresent()) {
      manual = manual.with(new Section.Lines("A function is", ProbeOperand.SYNTAX));
    }
    for (ToolHeader.ToolTable table : header.tables()) {
      manual = manual.with(columns(table));
    }
    if (!header.examples().isEmpty()) {
      manual =
          manual.with(
              new Section.Lines(
                  "Examples",
                  header.examples().stream()
                      .map(line -> line + "\n")
                      .collect(Collectors.joining())));
    }
    return manual.seeAlso("ply-tool(1)", "ply(1)", "ply-language(7)");
  }

  private CommandOption[] whatToTrace() {
    Stream<CommandOption> filters = header.filters().stream().sorted().map(Filter::option);
    // A command is a process.
    return header.filters().contains(Filter.PID)
        ? Stream.concat(filters, Stream.of(COMMAND)).toArray(CommandOption[]::new)
        : filters.toArray(CommandOption[]::new);
  }

  private static CommandOption option(ToolHeader.ToolOption option) {
    if (option.argument().isEmpty()) {
      return CommandOption.flag(option.letter(), option.name(), option.sentence());
    }
    Argument.Kind kind = option.usual().matches("\\d+") ? Argument.Kind.NUMBER : Argument.Kind.TEXT;
    String usual =
        option.usual().isEmpty() || option.usual().equals("0") ? "" : " (" + option.usual() + ")";
    return CommandOption.valued(
        option.letter(),
        option.name(),
        Argument.of(option.argument().get(), kind),
        option.sentence() + usual);
  }

  private static Section columns(ToolHeader.ToolTable table) {
    int width =
        table.columns().stream().mapToInt(c -> c.column().heading().length()).max().orElse(0);
    String lines =
        table.columns().stream()
            .map(
                column ->
                    String.format(
                        Locale.ROOT,
                        "%-" + width + "s  %s%s%n",
                        column.column().heading(),
                        column.sentence(),
                        column.option().map(option -> " (with --" + option + ")").orElse("")))
            .collect(Collectors.joining());
    return new Section.Lines(
        table.map().isEmpty() ? "Columns" : "Columns of " + table.map(), lines);
  }
}
