package dev.ply.layout;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A column of a table of results.
 *
 * @param heading its first line; a unit at its end, {@code LAT(ms)} or {@code TX_KB}, is that of
 *     the numbers, which come in nanoseconds or bytes
 * @param width in characters, longer values are not cut; empty: as wide as they are
 * @param most the width that it may have on a terminal with room for it; empty: its width
 * @param alignment of values and heading
 * @param isShown whether this table has it
 */
public record Column(
    String heading, OptionalInt width, OptionalInt most, Alignment alignment, boolean isShown) {
  private static final Pattern UNIT = Pattern.compile("(.*)(?:\\((s|ms|us|ns|KB|MB)\\)|_(KB|MB))");

  /** Headings that are units, as BCC has them. */
  private static final String MILLISECONDS = "MS";

  private static final String KILOBYTES = "KBYTES";

  /** The side of a column on which its values begin or end. */
  public enum Alignment {
    /** They begin at the left side. */
    LEFT,
    /** They end at the right side. */
    RIGHT
  }

  /** The units that numbers are shown in. */
  enum Unit {
    /** As they come. */
    NONE("", 1, 0),
    /** Nanoseconds. */
    NANOSECONDS("_ns", 1, 0),
    /** Microseconds, from nanoseconds. */
    MICROSECONDS("_ns", 1000, 0),
    /** Milliseconds, from nanoseconds. */
    MILLISECONDS("_ns", 1_000_000, 3),
    /** Seconds, from nanoseconds. */
    SECONDS("_ns", 1_000_000_000, 6),
    /** Units of 1024 bytes, from bytes. */
    KILOBYTES("_bytes", 1 << 10, 0),
    /** Units of 1024 * 1024 bytes, from bytes. */
    MEGABYTES("_bytes", 1 << 20, 0);

    /** What follows the name of values that come without conversion. */
    final String suffix;

    final long divisor;

    /** The number of digits after the point. */
    final int decimals;

    Unit(String suffix, long divisor, int decimals) {
      this.suffix = suffix;
      this.divisor = divisor;
      this.decimals = decimals;
    }

    private static Unit named(String name) {
      return switch (name) {
        case "s" -> SECONDS;
        case "ms" -> MILLISECONDS;
        case "us" -> MICROSECONDS;
        case "ns" -> NANOSECONDS;
        case "KB" -> KILOBYTES;
        default -> MEGABYTES;
      };
    }
  }

  /** {@return this column with a width, which is all that it may have} */
  Column withWidth(int characters) {
    return new Column(heading, OptionalInt.of(characters), OptionalInt.empty(), alignment, isShown);
  }

  /** {@return the unit of its numbers} */
  Unit unit() {
    if (heading.equals(MILLISECONDS)) {
      return Unit.MILLISECONDS;
    }
    if (heading.equals(KILOBYTES)) {
      return Unit.KILOBYTES;
    }
    Matcher matcher = UNIT.matcher(heading);
    return matcher.matches() ? Unit.named(name(matcher)) : Unit.NONE;
  }

  private static String name(Matcher unit) {
    return Optional.ofNullable(unit.group(2))
        .or(() -> Optional.ofNullable(unit.group(3)))
        .orElse("");
  }

  /** {@return the name of its values in JSON and CSV: {@code lat_ns} for {@code LAT(ms)}} */
  public String name() {
    if (heading.equals(MILLISECONDS)) {
      return "duration" + unit().suffix;
    }
    if (heading.equals(KILOBYTES)) {
      return "bytes";
    }
    Matcher matcher = UNIT.matcher(heading);
    String name = matcher.matches() ? matcher.group(1) : heading;
    return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_") + unit().suffix;
  }
}
