package dev.ply.lang.build;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.lang.argument.ScriptArguments.TimerUnit;
import dev.ply.lang.token.LiteralDecoder;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.SamplingRate;
import dev.ply.probe.TimerProbe;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the definitions of timers: {@code interval}, {@code profile}. */
final class ClockDefinition {
  /** An integer in C's syntax, in any base, of at most 64 digits. */
  private static final String NUMBER =
      "(\\+?(?:0[xX][0-9a-fA-F]{1,16}|0[0-7]{0,23}|[1-9]\\d{0,23}))";

  private static final Pattern AMOUNT_FIRST = Pattern.compile(NUMBER + "(s|ms|us|ns|m)?");
  private static final Pattern UNIT_FIRST = Pattern.compile("(s|ms|us|ns|m|hz):" + NUMBER);
  private static final Pattern SAMPLES =
      Pattern.compile(
          "(?:(-1|\\d{1,9}):)?(?:(\\d{1,30})(hz|s|ms|us|ns|m)?|(hz|s|ms|us|ns|m):(\\d{1,30}))");

  /** Number literals of the language that C lacks: {@code 1_000}, {@code 1e3}. */
  private static final Pattern LONG_FORM =
      Pattern.compile("(?<![\\w.])[1-9]\\d*(?:_\\d+)*(?:[eE]\\d{1,2}|_\\d+)(?=$|[a-z])");

  private static final BigInteger LONGEST = BigInteger.valueOf(Long.MAX_VALUE);
  private static final BigInteger SECOND = BigInteger.valueOf(1_000_000_000);

  private final String text;
  private final String rest;
  private final SourceSpan span;
  private final Diagnostics diagnostics;
  private final TimerUnit timers;

  /**
   * A definition.
   *
   * @param text the whole definition
   * @param rest what follows the provider and its colon
   * @param timers what a number without a unit counts
   */
  ClockDefinition(
      String text, String rest, SourceSpan span, Diagnostics diagnostics, TimerUnit timers) {
    this.text = text;
    this.rest = LONG_FORM.matcher(rest).replaceAll(ClockDefinition::digits);
    this.span = span;
    this.diagnostics = diagnostics;
    this.timers = timers;
  }

  /** Returns a timer on one CPU; empty after an error. */
  Optional<AttachPoint> interval() {
    Matcher amountFirst = AMOUNT_FIRST.matcher(rest);
    Matcher unitFirst = UNIT_FIRST.matcher(rest);
    if (amountFirst.matches()) {
      String unit = amountFirst.group(2);
      return interval(number(amountFirst.group(1)), unit == null ? timers.ofIntervals() : unit);
    }
    if (unitFirst.matches()) {
      return interval(number(unitFirst.group(2)), unitFirst.group(1));
    }
    return bad(
        "\"" + text + "\" is not a duration",
        "write interval:1s, interval:500ms, interval:10us or interval:1m");
  }

  private Optional<AttachPoint> interval(BigInteger amount, String unit) {
    return amount.signum() == 0
        ? bad("an interval of zero never ends", "write interval:1s, for example")
        : time(amount, unit).map(TimerProbe.Interval::new);
  }

  /** Returns a timer on every CPU, or on one; empty after an error. */
  Optional<AttachPoint> profile() {
    Matcher samples = SAMPLES.matcher(rest);
    if (!samples.matches()) {
      return bad(
          "\"" + text + "\" is not a sampling rate",
          "write profile:99hz, profile:hz:99 or profile:ms:10; on CPU 0 alone, profile:0:99hz");
    }
    String cpu = samples.group(1);
    // CPU -1 is every CPU, as in perf_event_open(2).
    OptionalInt only =
        cpu == null || cpu.equals("-1")
            ? OptionalInt.empty()
            : OptionalInt.of(Integer.parseInt(cpu));
    boolean isAmountFirst = samples.group(2) != null;
    String amount = isAmountFirst ? samples.group(2) : samples.group(5);
    String given = isAmountFirst ? samples.group(3) : samples.group(4);
    String unit = given == null ? timers.ofProfiles() : given;
    return rate(new BigInteger(amount), unit).map(rate -> new TimerProbe.Profile(only, rate));
  }

  private Optional<SamplingRate> rate(BigInteger amount, String unit) {
    if (amount.signum() == 0) {
      return bad(
          "a profile of zero " + unit + " never takes a sample",
          "write profile:99hz, for example: 99 samples a second on every CPU");
    }
    if (!unit.equals("hz")) {
      return time(amount, unit).map(SamplingRate.Every::new);
    }
    return amount.compareTo(SECOND) > 0
        ? bad(
            "no CPU can be sampled " + amount + " times a second",
            "write profile:99hz, for example: 99 samples a second on every CPU")
        : Optional.of(new SamplingRate.Hertz(amount.longValue()));
  }

  private Optional<Duration> time(BigInteger amount, String unit) {
    BigInteger nanos =
        switch (unit) {
          case "hz" -> SECOND.divide(amount);
          case "m" -> amount.multiply(SECOND).multiply(BigInteger.valueOf(60));
          case "s" -> amount.multiply(SECOND);
          case "ms" -> amount.multiply(BigInteger.valueOf(1_000_000));
          case "us" -> amount.multiply(BigInteger.valueOf(1_000));
          default -> amount;
        };
    return nanos.signum() == 0 || nanos.compareTo(LONGEST) > 0
        ? bad("\"" + text + "\" is not a valid interval", "intervals are 1ns to about 292 years")
        : Optional.of(Duration.ofNanos(nanos.longValue()));
  }

  /** Parses an integer as C does: octal after 0, hexadecimal after 0x. */
  private static BigInteger number(String digits) {
    return LiteralDecoder.number(digits.startsWith("+") ? digits.substring(1) : digits)
        .map(bits -> new BigInteger(Long.toUnsignedString(bits)))
        .orElse(BigInteger.ONE.shiftLeft(64));
  }

  private static String digits(MatchResult number) {
    return LiteralDecoder.number(number.group())
        .map(Long::toUnsignedString)
        .orElse(number.group().replace("_", ""));
  }

  private <T> Optional<T> bad(String message, String hint) {
    diagnostics.error(DiagnosticCode.BAD_PROBE_DEFINITION, span, message, hint);
    return Optional.empty();
  }
}
