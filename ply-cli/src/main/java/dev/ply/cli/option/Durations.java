package dev.ply.cli.option;

import dev.ply.cli.io.UsageException;
import dev.ply.cli.manual.Argument;
import dev.ply.cli.manual.CommandOption;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.cli.CommandLine;

/** The option for how long a trace runs. */
public final class Durations {
  /** The time after which a trace ends, as on Ctrl-C. */
  public static final CommandOption DURATION =
      CommandOption.valued(
          "d",
          "duration",
          Argument.of("SECONDS", Argument.Kind.DURATION),
          "end after SECONDS, as Ctrl-C does, and show the results; 500ms, 5m and 1h are times,"
              + " too");

  /** A number of seconds, or a number with a unit. */
  private static final Pattern TIME =
      Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?|\\.\\d{1,9})(us|ms|s|m|h)?");

  private static final Duration LONGEST = Duration.ofDays(3650);

  private Durations() {}

  /** {@return whether a word is a number, perhaps with a unit; names of scripts are longer} */
  static boolean isMeantBy(String word) {
    return word.matches("[.]?\\d[\\d.]*[A-Za-z]{0,2}");
  }

  /** {@return the duration that a command line gives, if any} */
  public static Optional<Duration> of(CommandLine line) throws UsageException {
    Optional<String> given = OptionParser.value(line, DURATION.name());
    if (given.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(positive(DURATION.name(), given.get()));
  }

  /** {@return the duration that an option of a command line gives, from 0 up, if any} */
  static Optional<Duration> of(CommandLine line, CommandOption option) throws UsageException {
    Optional<String> given = OptionParser.value(line, option.name());
    return given.isEmpty() ? Optional.empty() : Optional.of(parse(option.name(), given.get()));
  }

  /**
   * {@return the duration that the value of an option gives, within limits}
   *
   * @param option its name
   */
  public static Duration within(String option, String text, Duration shortest, Duration longest)
      throws UsageException {
    Duration time = parse(option, text);
    if (time.compareTo(shortest) < 0 || time.compareTo(longest) > 0) {
      throw new UsageException(
          "--"
              + option
              + " is a time from "
              + (shortest.toMillisPart() == 0
                  ? shortest.toSeconds() + "s"
                  : shortest.toMillis() + "ms")
              + " to "
              + longest.toHours()
              + "h, not \""
              + text
              + "\"");
    }
    return time;
  }

  /**
   * {@return the duration that the value of an option gives, from 0 up}
   *
   * @param option its name
   */
  public static Duration parse(String option, String text) throws UsageException {
    Matcher matcher = TIME.matcher(text);
    if (!matcher.matches()) {
      throw new UsageException(
          "--"
              + option
              + " takes seconds, or a time such as 500ms, 5m or 1h, not \""
              + text
              + "\"");
    }
    BigDecimal nanoseconds =
        new BigDecimal(matcher.group(1))
            .multiply(BigDecimal.valueOf(nanoseconds(Optional.ofNullable(matcher.group(2)))));
    if (nanoseconds.compareTo(BigDecimal.valueOf(LONGEST.toNanos())) > 0) {
      throw new UsageException(
          "--" + option + " is at most " + LONGEST.toHours() + "h, not \"" + text + "\"");
    }
    return Duration.ofNanos(Math.max(nanoseconds.signum(), nanoseconds.longValue()));
  }

  /**
   * {@return the duration that the value of an option gives, above 0}
   *
   * @param option its name
   */
  public static Duration positive(String option, String text) throws UsageException {
    Duration time = parse(option, text);
    if (time.isZero()) {
      throw new UsageException("--" + option + " is a time above 0, not \"" + text + "\"");
    }
    return time;
  }

  private static long nanoseconds(Optional<String> unit) {
    return switch (unit.orElse("s")) {
      case "us" -> 1_000L;
      case "ms" -> 1_000_000L;
      case "m" -> 60_000_000_000L;
      case "h" -> 3_600_000_000_000L;
      default -> 1_000_000_000L;
    };
  }
}
