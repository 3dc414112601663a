package dev.ply.cli.follow;

import dev.ply.cli.io.UsageException;
import dev.ply.cli.manual.Argument;
import dev.ply.cli.manual.CommandOption;
import dev.ply.cli.option.OptionParser;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.cli.CommandLine;

/**
 * What a trace may cost the traced programs.
 *
 * @param share of one CPU, above 0 and up to 1
 * @param reaction to a higher cost
 */
record OverheadLimit(double share, Reaction reaction) {
  /** The option that sets it. */
  static final CommandOption OPTION =
      CommandOption.valued(
          "",
          "max-overhead",
          Argument.of("PERCENT", Argument.Kind.TEXT),
          "when probes cost more than PERCENT of a CPU, examine a part of the hits (2%), or stop"
              + " (2%,stop)");

  private static final Pattern SYNTAX = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,6})?)%?(,stop)?");
  private static final double PERCENT = 100;

  /** What happens when a trace costs more. */
  enum Reaction {
    /** A part of the hits is examined, and counts are scaled. */
    SAMPLE,
    /** The trace ends. */
    STOP
  }

  /** {@return the limit that a command line sets, if any} */
  static Optional<OverheadLimit> of(CommandLine line) throws UsageException {
    Optional<String> given = OptionParser.value(line, OPTION.name());
    return given.isEmpty() ? Optional.empty() : Optional.of(parse(given.get()));
  }

  private static OverheadLimit parse(String text) throws UsageException {
    Matcher matcher = SYNTAX.matcher(text);
    double percent = matcher.matches() ? Double.parseDouble(matcher.group(1)) : 0;
    if (percent <= 0 || percent > PERCENT) {
      throw new UsageException(
          "--max-overhead takes a percentage of a CPU above 0 and up to 100, such as 2% or"
              + " 2%,stop, not \""
              + text
              + "\"");
    }
    return new OverheadLimit(
        percent / PERCENT, matcher.group(2) == null ? Reaction.SAMPLE : Reaction.STOP);
  }
}
