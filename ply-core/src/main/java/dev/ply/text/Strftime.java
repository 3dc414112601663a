package dev.ply.text;

import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.util.Locale;
import java.util.Map;

/**
 * Formats times by patterns of C's {@code strftime} in the C locale, with {@code %f} for
 * microseconds. Unknown conversions are literal.
 */
public final class Strftime {
  /** Conversions that abbreviate patterns. */
  private static final Map<Character, String> COMPOSED =
      Map.of(
          'T', "%H:%M:%S",
          'X', "%H:%M:%S",
          'R', "%H:%M",
          'r', "%I:%M:%S %p",
          'F', "%Y-%m-%d",
          'D', "%m/%d/%y",
          'x', "%m/%d/%y",
          'c', "%a %b %e %H:%M:%S %Y",
          'h', "%b");

  private Strftime() {}

  /**
   * {@return the time in a pattern's format}
   *
   * @param pattern as for C's {@code strftime}, with {@code %f} for microseconds
   * @param time in the zone to show it in
   */
  public static String format(String pattern, ZonedDateTime time) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (c != '%' || i + 1 == pattern.length()) {
        out.append(c);
        continue;
      }
      char letter = pattern.charAt(++i);
      String composed = COMPOSED.get(letter);
      out.append(composed != null ? format(composed, time) : conversion(letter, time));
    }
    return out.toString();
  }

  private static String conversion(char letter, ZonedDateTime time) {
    return switch (letter) {
      case 'H' -> digits(2, time.getHour());
      case 'I' -> digits(2, time.get(ChronoField.CLOCK_HOUR_OF_AMPM));
      case 'k' -> columns(time.getHour());
      case 'l' -> columns(time.get(ChronoField.CLOCK_HOUR_OF_AMPM));
      case 'M' -> digits(2, time.getMinute());
      case 'S' -> digits(2, time.getSecond());
      case 'f' -> digits(6, time.getNano() / 1000);
      case 'N' -> digits(9, time.getNano());
      case 's' -> String.valueOf(time.toEpochSecond());
      case 'p' -> time.getHour() < 12 ? "AM" : "PM";
      case 'P' -> time.getHour() < 12 ? "am" : "pm";
      case 'Y' -> String.valueOf(time.getYear());
      case 'y' -> digits(2, time.getYear() % 100);
      case 'C' -> digits(2, time.getYear() / 100);
      case 'm' -> digits(2, time.getMonthValue());
      case 'd' -> digits(2, time.getDayOfMonth());
      case 'e' -> columns(time.getDayOfMonth());
      case 'j' -> digits(3, time.getDayOfYear());
      case 'u' -> String.valueOf(time.getDayOfWeek().getValue());
      case 'w' -> String.valueOf(time.getDayOfWeek().getValue() % 7);
      case 'V' -> digits(2, time.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
      case 'G' -> String.valueOf(time.get(IsoFields.WEEK_BASED_YEAR));
      case 'a' -> written("EEE", time);
      case 'A' -> written("EEEE", time);
      case 'b' -> written("MMM", time);
      case 'B' -> written("MMMM", time);
      case 'Z' -> written("zzz", time);
      case 'z' -> written("xx", time);
      case 'n' -> "\n";
      case 't' -> "\t";
      case '%' -> "%";
      default -> "%" + letter;
    };
  }

  private static String digits(int count, int value) {
    return String.format(Locale.ROOT, "%0" + count + "d", value);
  }

  private static String columns(int value) {
    return String.format(Locale.ROOT, "%2d", value);
  }

  private static String written(String pattern, ZonedDateTime time) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).format(time);
  }
}
