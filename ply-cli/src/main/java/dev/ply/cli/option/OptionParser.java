package dev.ply.cli.option;

import dev.ply.cli.io.Console;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.run.TraceRequest;
import dev.ply.diagnostic.Suggestions;
import dev.ply.layout.OutputFormat;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.HelpFormatter;
import org.apache.commons.cli.MissingArgumentException;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.apache.commons.cli.UnrecognizedOptionException;

/** Parses command lines and lists their options, for all front ends. */
public final class OptionParser {
  private static final int COLUMNS = 80;
  private static final int INDENT = 2;

  private OptionParser() {}

  /**
   * Parses a command line; options can follow operands, {@code --} ends them.
   *
   * @param help the command that lists the options
   */
  public static CommandLine parse(Options known, String help, String... arguments)
      throws UsageException {
    try {
      return DefaultParser.builder()
          .setStripLeadingAndTrailingQuotes(false)
          // Joined letters, -ve, are not the beginning of --verbose.
          .setAllowPartialMatching(false)
          .build()
          .parse(known, whole(known, arguments));
    } catch (MissingArgumentException e) {
      Option option = e.getOption();
      String name = option.getOpt() == null ? "--" + option.getLongOpt() : "-" + option.getOpt();
      throw new UsageException(name + " needs a value: " + name + " " + option.getArgName());
    } catch (UnrecognizedOptionException e) {
      throw new UsageException("unknown option " + e.getOption() + ": " + hint(known, e, help));
    } catch (ParseException e) {
      throw new UsageException(lowerFirst(String.valueOf(e.getMessage())));
    }
  }

  /** Returns the option that is meant, if a similar one exists; else where all are listed. */
  private static String hint(Options known, UnrecognizedOptionException e, String help) {
    String name = e.getOption().replaceFirst("=.*", "");
    Stream<String> names =
        known.getOptions().stream()
            .map(Option::getLongOpt)
            .filter(Objects::nonNull)
            .map(longName -> "--" + longName);
    String[] otherwise = {help + " lists them"};
    String word = name.startsWith("--") ? name : "-" + name;
    return word.length() > 3 ? Suggestions.hint(word, names, otherwise)[0] : otherwise[0];
  }

  /** Returns the arguments with long options whole of which the beginning is given. */
  private static String[] whole(Options known, String... arguments) throws UsageException {
    String[] whole = arguments.clone();
    for (int i = 0; i < whole.length && !whole[i].equals("--"); i++) {
      int end = whole[i].indexOf('=') < 0 ? whole[i].length() : whole[i].indexOf('=');
      String name = whole[i].substring(0, end);
      if (name.startsWith("--") && !known.hasLongOption(name)) {
        List<String> longer = known.getMatchingOptions(name);
        if (longer.size() > 1) {
          throw new UsageException(name + " can be --" + String.join(" or --", longer));
        }
        for (String one : longer) {
          whole[i] = "--" + one + whole[i].substring(end);
        }
      }
    }
    return whole;
  }

  /** Returns the help text: lines, and the options. */
  public static String usage(Options known, String... lines) {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    for (String line : lines) {
      out.println(line);
    }
    HelpFormatter formatter = new HelpFormatter();
    formatter.setOptionComparator(null);
    formatter.printOptions(out, COLUMNS, known, INDENT, INDENT);
    out.flush();
    return text.toString();
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

  /** Returns the output format that an option selects; text by default. */
  public static OutputFormat format(CommandLine line, String option) throws UsageException {
    String word = value(line, option).orElse(OutputFormat.TEXT.word());
    Optional<OutputFormat> format = OutputFormat.named(word);
    if (format.isEmpty()) {
      throw new UsageException(
          "-" + option + " takes " + OutputFormat.words() + ", not \"" + word + "\"");
    }
    return format.get();
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
}
