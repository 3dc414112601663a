package dev.ply.cli.option;

import dev.ply.cli.io.Console;
import dev.ply.cli.io.Outputs;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.manual.CommandOption;
import dev.ply.cli.run.PrivilegeChange;
import dev.ply.cli.run.TraceRequest;
import dev.ply.layout.OutputFormat;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.MissingArgumentException;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.apache.commons.cli.UnrecognizedOptionException;

/** Parses command lines by their declarations, for all front ends. */
public final class OptionParser {
  /** Shorter ones would read maps most of the time. */
  private static final Duration SHORTEST_PERIOD = Duration.ofMillis(100);

  private OptionParser() {}

  /** Parses a command line; options can follow operands, {@code --} ends them. */
  public static CommandLine parse(CommandManual manual, String... arguments) throws UsageException {
    return parse(manual, List.of(), arguments);
  }

  /**
   * Parses a command line; options can follow operands, {@code --} ends them.
   *
   * @param unlisted options that no help shows
   */
  public static CommandLine parse(CommandManual manual, List<Option> unlisted, String... arguments)
      throws UsageException {
    Options known = new Options();
    OptionNames names = new OptionNames(manual);
    manual.allOptions().map(names::option).forEach(known::addOption);
    unlisted.forEach(known::addOption);
    String[] usual = names.usual(known, arguments);
    try {
      return DefaultParser.builder()
          .setStripLeadingAndTrailingQuotes(false)
          // Joined letters, -ve, are not the beginning of --verbose.
          .setAllowPartialMatching(false)
          .build()
          .parse(known, usual);
    } catch (MissingArgumentException e) {
      Option option = e.getOption();
      String name = option.getOpt() == null ? "--" + option.getLongOpt() : "-" + option.getOpt();
      throw new UsageException(
          name
              + " needs a value: "
              + name
              + " "
              + option.getArgName()
              + names.meantBySingleDash(arguments).map(hint -> "; " + hint).orElse(""));
    } catch (UnrecognizedOptionException e) {
      Optional<String> meant =
          names.nearest(e.getOption()).or(() -> names.meantBySingleDash(arguments));
      throw new UsageException(
          "unknown option "
              + e.getOption()
              + ": "
              + meant.orElse(manual.command() + " -h lists them"));
    } catch (ParseException e) {
      throw new UsageException(lowerFirst(String.valueOf(e.getMessage())));
    }
  }

  /** Returns the value given by an option; of an option given twice, the last. */
  public static Optional<String> value(CommandLine line, String option) {
    String[] values = line.getOptionValues(option);
    return values == null ? Optional.empty() : Optional.of(values[values.length - 1]);
  }

  /** Returns all values of an option, in order. */
  public static List<String> values(CommandLine line, String option) {
    String[] values = line.getOptionValues(option);
    return values == null ? List.of() : List.of(values);
  }

  /**
   * Returns the number of an option; empty if it is not given.
   *
   * @param what it counts
   * @throws UsageException if it is no number from 1 to 999999999
   */
  public static OptionalInt positive(CommandLine line, String option, String what)
      throws UsageException {
    Optional<String> given = value(line, option);
    if (given.isEmpty()) {
      return OptionalInt.empty();
    }
    String number = given.get();
    if (!number.matches("0*[1-9][0-9]{0,8}")) {
      throw new UsageException(
          "-" + option + " takes a number from 1 (" + what + "), not \"" + number + "\"");
    }
    return OptionalInt.of(Integer.parseInt(number));
  }

  /**
   * Returns a request that is restricted to the cgroup, container or PID namespace of a command
   * line.
   *
   * @throws UsageException if there is none of that name
   */
  public static TraceRequest restricted(TraceRequest request, CommandLine line)
      throws UsageException {
    TraceRequest restricted = request;
    for (CommandOption place : Shared.places()) {
      Optional<String> value = value(line, place.name());
      if (value.isPresent()) {
        restricted =
            restricted.restrictedBy(
                Filter.named(place.name()).orElseThrow().condition(value.get()));
      }
    }
    return restricted;
  }

  /** Returns the PID given by an option. */
  public static OptionalLong pid(CommandLine line, String option) throws UsageException {
    Optional<String> given = value(line, option);
    if (given.isEmpty()) {
      return OptionalLong.empty();
    }
    String value = given.get();
    if (!value.matches("[1-9][0-9]{0,9}")) {
      throw new UsageException("-" + option + " takes the PID of a process, not \"" + value + "\"");
    }
    long pid = Long.parseLong(value);
    if (ProcessHandle.of(pid).isEmpty()) {
      throw new UsageException("-" + option + ": no process " + pid);
    }
    return OptionalLong.of(pid);
  }

  /** Returns the file given by an option. */
  public static Optional<Path> path(CommandLine line, String option) throws UsageException {
    Optional<String> value = value(line, option);
    return value.isEmpty() ? Optional.empty() : Optional.of(path(option, value.get()));
  }

  /** Returns the file that an option's value names. */
  public static Path path(String option, String value) throws UsageException {
    try {
      return Path.of(value);
    } catch (InvalidPathException e) {
      throw new UsageException("-" + option + ": \"" + value + "\" cannot be a file's name");
    }
  }

  /** Returns what {@code -f} and {@code -o} say that results are written to. */
  public static Outputs outputs(CommandLine line) throws UsageException {
    return outputs(line, format(line, "f"));
  }

  /**
   * Returns the files of {@code -o}, each in the format that its name or {@code -f} chooses, and
   * the pages of {@code --html}.
   */
  public static Outputs outputs(CommandLine line, Optional<OutputFormat> format)
      throws UsageException {
    List<Path> files = new ArrayList<>();
    for (String file : values(line, "o")) {
      files.add(path("o", file));
    }
    List<Path> pages = new ArrayList<>();
    for (String page : values(line, Shared.HTML.name())) {
      pages.add(path("-" + Shared.HTML.name(), page));
    }
    Outputs outputs = Outputs.of(format, files, pages);
    Optional<Duration> period = Durations.of(line, Shared.SNAPSHOTS);
    if (period.isEmpty()) {
      return outputs;
    } else if (outputs.formats().stream().allMatch(one -> one.periods().isEmpty())) {
      throw new UsageException(
          "--snapshots is for what is shown over time, and no output does so; --html FILE writes a"
              + " page, -o FILE.pftrace a trace for Perfetto");
    } else if (!period.get().isZero() && period.get().compareTo(SHORTEST_PERIOD) < 0) {
      throw new UsageException("--snapshots is at least 100ms, or 0 for none");
    }
    return outputs.every(period.get());
  }

  /** Returns the output format that an option selects, if one does. */
  public static Optional<OutputFormat> format(CommandLine line, String option)
      throws UsageException {
    Optional<String> word = value(line, option);
    Optional<OutputFormat> format = word.flatMap(OutputFormat::named);
    if (word.isPresent() && format.isEmpty()) {
      throw new UsageException(
          "-" + option + " takes " + OutputFormat.words() + ", not \"" + word.get() + "\"");
    }
    return format;
  }

  /**
   * Returns the optional remarks.
   *
   * @param debug the option that asks for debug lines
   * @param quiet the option that leaves warnings out
   */
  public static Set<Console.Remark> remarks(CommandLine line, String debug, String quiet) {
    Set<Console.Remark> remarks = EnumSet.allOf(Console.Remark.class);
    if (!line.hasOption(debug)) {
      remarks.remove(Console.Remark.DEBUG);
    }
    if (line.hasOption(quiet)) {
      remarks.remove(Console.Remark.WARNING);
    }
    return remarks;
  }

  /** Returns what a trace does about losses. */
  public static TraceRequest.OnLoss onLoss(CommandLine line, String option) {
    return line.hasOption(option) ? TraceRequest.OnLoss.GO_ON : TraceRequest.OnLoss.STOP;
  }

  /** Returns whether notices are shown. */
  public static TraceRequest.Notices notices(CommandLine line, String option) {
    return line.hasOption(option) ? TraceRequest.Notices.LEFT_OUT : TraceRequest.Notices.SHOWN;
  }

  private static String lowerFirst(String message) {
    return message.isEmpty()
        ? message
        : Character.toLowerCase(message.charAt(0)) + message.substring(1);
  }

  /**
   * {@return what becomes of a trace's privileges, if a command line says}
   *
   * @throws UsageException if a value is not what its option takes
   */
  public static Optional<PrivilegeChange> privileges(CommandLine line) throws UsageException {
    return line.hasOption(Shared.DROP_PRIVILEGES.name())
            || line.hasOption(Shared.KEEP_CAPABILITIES.name())
        ? PrivilegeOptions.of(line)
        : Optional.empty();
  }
}
