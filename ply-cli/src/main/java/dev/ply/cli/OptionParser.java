package dev.ply.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.MissingArgumentException;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.apache.commons.cli.UnrecognizedOptionException;

/** Parses command lines, and values of options shared by the front ends. */
final class OptionParser {
  private OptionParser() {}

  /**
   * Parses a command line; options can follow operands, {@code --} ends them.
   *
   * @param help the command that lists the options
   */
  static CommandLine parse(Options known, String help, String... arguments) throws UsageException {
    try {
      return DefaultParser.builder()
          .setStripLeadingAndTrailingQuotes(false)
          .build()
          .parse(known, arguments);
    } catch (MissingArgumentException e) {
      Option option = e.getOption();
      String name = option.getOpt() == null ? "--" + option.getLongOpt() : "-" + option.getOpt();
      throw new UsageException(name + " needs a value: " + name + " " + option.getArgName());
    } catch (UnrecognizedOptionException e) {
      throw new UsageException("there is no option " + e.getOption() + ": " + help + " lists them");
    } catch (ParseException e) {
      throw new UsageException(lowerFirst(String.valueOf(e.getMessage())));
    }
  }

  /** Returns the PID given by an option. */
  static OptionalLong pid(CommandLine line, String option) throws UsageException {
    String value = line.getOptionValue(option);
    if (value == null) {
      return OptionalLong.empty();
    }
    if (!value.matches("[1-9][0-9]{0,9}")) {
      throw new UsageException("-" + option + " takes the PID of a process, not \"" + value + "\"");
    }
    long pid = Long.parseLong(value);
    if (ProcessHandle.of(pid).isEmpty()) {
      throw new UsageException("-" + option + ": there is no process " + pid);
    }
    return OptionalLong.of(pid);
  }

  /** Returns the file given by an option. */
  static Optional<Path> path(CommandLine line, String option) throws UsageException {
    String value = line.getOptionValue(option);
    return value == null ? Optional.empty() : Optional.of(path(option, value));
  }

  /** Returns the file that an option's value names. */
  static Path path(String option, String value) throws UsageException {
    try {
      return Path.of(value);
    } catch (InvalidPathException e) {
      throw new UsageException("-" + option + ": \"" + value + "\" cannot be a file's name");
    }
  }

  /** Returns whether an option selects JSON; text by default. */
  static boolean isJson(CommandLine line, String option) throws UsageException {
    String value = line.getOptionValue(option, "text");
    if (!value.equals("json") && !value.equals("text")) {
      throw new UsageException("-" + option + " takes text or json, not \"" + value + "\"");
    }
    return value.equals("json");
  }

  private static String lowerFirst(String message) {
    return message.isEmpty()
        ? message
        : Character.toLowerCase(message.charAt(0)) + message.substring(1);
  }
}
